// ENTRY: kernel
// CLASS: race
// CAUSE: __syncwarp() orders one warp; other warps' partial results may not be there yet.
// SAYS: race|__syncthreads|barrier|order|__syncwarp
// SAYS: partial|shared|barrier|warp
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: block_stage (roughly 6 lines)
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  m = warp_moments(m);
  if (lane == 0) partial[warp] = m;
  __syncwarp();
  // Every warp does this for itself. If one of them did and told the others, they would wait a second time.
  m = warp_moments(lane < kWarps ? partial[lane] : Moments{0.0f, 0.0f, 0.0f});
// END: block_stage
