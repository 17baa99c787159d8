// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The second stage adds the values of four warps of eight.
// SAYS: warp|column|half|partial
// SAYS: 128|half|four|4\b|first|only
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < 4 ? of_warp[lane] : 0.0f);
// END: block_sum
