// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum of squares is divided by the number of threads, not of columns.
// SAYS: 256|threads
// SAYS: divided
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c] * x_row[c];
  inverse_rms = 1.0f / sqrtf(block_sum(sum) / kThreads + eps);
  // END: row_statistics
  // FILL ME IN: scale_row (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = x_row[c] * inverse_rms * weight[c];
  // END: scale_row
  // FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, kThreads>>>(x, weight, out, rows, columns, eps);
  // END: launch
