// ENTRY: kernel
// CLASS: barrier
// CAUSE: The barrier stands inside `if (lane == 0)`: 31 lanes of each warp never come to it.
// SAYS: barrier|syncthreads
// SAYS: all|thread|lane|branch|reach|wait
// NEVER: uninitiali
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) {
    of_warp[warp] = value;
    __syncthreads();
  }
  if (warp == 0) value = warp_sum(lane < kWarps ? of_warp[lane] : 0.0f);
// END: block_sum
