// ENTRY: kernel
// CLASS: index
// CAUSE: The squares of all rows are taken around the mean of row 0.
// SAYS: mean
// SAYS: row 0|first row
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: row_rstd (roughly 4 lines)
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - mean[0]) * (x_row[c] - mean[0]);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
  // END: row_rstd
