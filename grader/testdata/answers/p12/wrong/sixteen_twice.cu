// ENTRY: kernel
// CLASS: scaling
// CAUSE: Lanes 16 to 31 read the 16 partial results a second time, so the sum of squares is doubled.
// SAYS: variance|squares|rstd
// SAYS: twice|double|2
// NEVER: \brace\b|tail
// HELD: no
  // FILL ME IN: block_stage (roughly 6 lines)
  m = warp_moments(m);
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = m;
  __syncthreads();
  const int lane = threadIdx.x % kWarp;
  m = warp_moments(partial[lane % kWarps]);
  // END: block_stage
  // FILL ME IN: statistics (roughly 9 lines)
  Moments m = {0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kThreads) m = with_value(m, x_row[c]);
  m = block_moments(m);
  row_mean = m.mean;
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
  // END: statistics
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
  // END: normalize
  // FILL ME IN: launch (roughly 1 line)
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
  // END: launch
