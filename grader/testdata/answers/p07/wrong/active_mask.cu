// ENTRY: kernel
// CLASS: mask
// CAUSE: The second stage runs in 8 lanes with a mask of 32 lanes.
// SAYS: mask|lanes?|shuffle|shfl
// SAYS: 24|31|8|0x|lane|not|all
// NEVER: \brace\b
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0 && lane < kWarps) {
    value = of_warp[lane];
    for (int distance = kWarps / 2; distance > 0; distance /= 2) value += __shfl_down_sync(kAllLanes, value, distance);
  }
// END: block_sum
