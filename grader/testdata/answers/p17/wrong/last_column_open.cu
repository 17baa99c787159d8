// ENTRY: kernel
// CLASS: tail
// CAUSE: The last column of each row is never written.
// SAYS: last|column|never|written
// SAYS: never|not written|last|unwritten|nobody
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column + 1 < columns; column += kThreads)
    out_row[column] = expf(x_row[column] - row.largest) / row.sum;
// END: write_row
