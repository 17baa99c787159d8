// STYLE: the second stage is a loop in every thread
// FILL ME IN: block_stage (roughly 6 lines)

  m = warp_moments(m);
  if ((threadIdx.x & 31) == 0) partial[threadIdx.x >> 5] = m;
  __syncthreads();
  m = partial[0];
  for (int i = 1; i < kWarps; ++i) m = merged(m, partial[i]);
// END: block_stage
