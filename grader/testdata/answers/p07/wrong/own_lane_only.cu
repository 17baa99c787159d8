// ENTRY: kernel
// CLASS: missing-term
// CAUSE: warp_sum is never called in the first stage: lane 0's own value stands for the warp.
// SAYS: column|lane|sum
// SAYS: 32|lane 0|every|only|own|first
// NEVER: \brace\b
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < kWarps ? of_warp[lane] : 0.0f);
// END: block_sum
