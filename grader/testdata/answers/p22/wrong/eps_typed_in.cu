// ENTRY: kernel
// CLASS: scaling
// CAUSE: eps is typed in as 1e-6f and the argument ignored.
// SAYS: \beps
// SAYS: 1e-0?6|typed|argument|constant|instead|0\.1|1/10
// NEVER: \brace\b|without (the )?weight|weight (is )?missing|without eps
// HELD: no
// FILL ME IN: row_statistics (roughly 4 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(block_sum(sum) / columns + 1e-6f);
// END: row_statistics
