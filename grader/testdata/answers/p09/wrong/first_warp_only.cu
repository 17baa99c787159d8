// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The sum is taken within a warp only; the other seven warps' parts never reach the mean.
// SAYS: warp|lanes?|32|row_mean
// SAYS: mean
// NEVER: \brace\b|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
// END: row_mean
