// ENTRY: kernel
// CLASS: scaling
// CAUSE: exp2f stands for expf in what is written.
// SAYS: exp|2\^|base|log|power|blank
// SAYS: 2|exp|base|ln|write_row
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = exp2f(x_row[column] - row.largest) / row.sum;
// END: write_row
