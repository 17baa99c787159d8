// ENTRY: kernel
// CLASS: index
// CAUSE: Lane 31 stores the warp's value, but the sum has been shuffled down to lane 0.
// SAYS: lane|column|31|block_sum
// SAYS: 31|lane|last|only|own|32|block_sum
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == kWarp - 1) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < kWarps ? of_warp[lane] : 0.0f);
// END: block_sum
