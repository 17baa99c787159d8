// STYLE: every thread merges all partial moments one after the other
  // FILL ME IN: block_stage (roughly 5 lines)
  m = warp_moments(m);
  if (threadIdx.x % kWarp == kWarp - 1) partial[threadIdx.x / kWarp] = m;
  __syncthreads();
  m = partial[0];
  for (int w = 1; w < kWarps; ++w) m = merged(m, partial[w]);
  // END: block_stage
