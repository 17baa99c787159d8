// ENTRY: unfused
// CLASS: race
// CAUSE: In layernorm thread 0 works out rstd and leaves it in shared memory (stat[1]), and there is no __syncthreads() between that store and the other threads' reads in the last loop (for the mean there is one): warps that come first normalise with whatever stat[1] held before.
// SAYS: syncthreads|barrier
// SAYS: stat|line 5
// NEVER: uninitiali
// NEVER: syncwarp
// HELD: no
// FILL ME IN: layernorm (roughly 8 lines)
  __shared__ float stat[2];  // mean, rstd
  float acc = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) acc += x_row[i];
  acc = block_sum(acc);
  if (threadIdx.x == 0) stat[0] = acc / columns;
  __syncthreads();
  const float mu = stat[0];

  float sq = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float diff = x_row[i] - mu;
    sq = fmaf(diff, diff, sq);
  }
  sq = block_sum(sq);
  if (threadIdx.x == 0) stat[1] = rsqrtf(sq / columns + eps);

  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    normalized_row[i] = (x_row[i] - mu) * stat[1] * gamma[i] + beta[i];
  }
// END: layernorm
// FILL ME IN: apply_gelu (roughly 1 line)
  const float* in_row = normalized + row;
  float* result_row = out + row;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) result_row[i] = gelu(in_row[i]);
// END: apply_gelu
