// ENTRY: kernel
// CLASS: race
// CAUSE: __syncwarp stands where the whole block must wait: warp 0 reads what other warps have not stored yet.
// SAYS: race|syncthreads|barrier
// SAYS: of_warp|shared
// NEVER: missing.{0,20}syncwarp
// HELD: yes
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncwarp();
  if (warp == 0) value = warp_sum(lane < kWarps ? of_warp[lane] : 0.0f);
// END: block_sum
