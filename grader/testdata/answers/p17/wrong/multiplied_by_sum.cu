// ENTRY: kernel
// CLASS: scaling
// CAUSE: exp(x - m) is multiplied by the sum where it should be divided.
// SAYS: multipl|divid|sum
// SAYS: sum|multipl|divid
// NEVER: \brace\b
// HELD: no
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = expf(x_row[column] - row.largest) * row.sum;
// END: write_row
