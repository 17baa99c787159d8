// ENTRY: kernel
// CLASS: scaling
// CAUSE: exp(x - m) is divided by the number of columns instead of the sum.
// SAYS: columns|divid|sum
// SAYS: columns|instead|number|sum|stands
// NEVER: \brace\b
// HELD: no
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = expf(x_row[column] - row.largest) / columns;
// END: write_row
