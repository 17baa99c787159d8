// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: of_warp has 32 places, of which 8 are written; the second stage adds up all 32.
// SAYS: uninitiali|written|wrote|never
// SAYS: of_warp|sums_of|shared|32|lane
// NEVER: out.of.bounds
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  __shared__ float sums_of[kWarp];
  value = warp_sum(value);
  if (lane == 0) sums_of[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(sums_of[lane]);
// END: block_sum
