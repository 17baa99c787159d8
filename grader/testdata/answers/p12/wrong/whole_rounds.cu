// ENTRY: kernel
// CLASS: tail
// CAUSE: Normalize goes over whole rounds of kThreads columns only; the rest of the row is not written.
// SAYS: columns?
// SAYS: 512
// SAYS: never written|behind|round
// NEVER: \brace\b|1024
// HELD: no
  // FILL ME IN: block_stage (roughly 6 lines)
  m = warp_moments(m);
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = m;
  __syncthreads();
  const int lane = threadIdx.x % kWarp;
  m = warp_moments(lane < kWarps ? partial[lane] : Moments{0.0f, 0.0f, 0.0f});
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
  for (int round = 0; round < columns / kThreads; ++round) {
    const int c = round * kThreads + threadIdx.x;
    out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
  }
  // END: normalize
  // FILL ME IN: launch (roughly 1 line)
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
  // END: launch
