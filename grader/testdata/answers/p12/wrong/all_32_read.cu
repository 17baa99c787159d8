// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: 32 lanes read partial, which has 16 elements.
// SAYS: partial|shared|out.of.bounds|past|beyond
// SAYS: past|beyond|outside|never (been )?written|uninitiali|out.of.bounds|16|end
// NEVER: \brace\b
// HELD: no
// FILL ME IN: block_stage (roughly 6 lines)
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  m = warp_moments(m);
  if (lane == 0) partial[warp] = m;
  __syncthreads();
  // Every warp does this for itself. If one of them did and told the others, they would wait a second time.
  m = warp_moments(partial[lane]);
// END: block_stage
