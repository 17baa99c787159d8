// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The warp's value is stored at threadIdx.x instead of the warp's number: of_warp has 8 places.
// SAYS: out.of.bounds|past|outside|beyond
// SAYS: of_warp|shared|32 bytes
// NEVER: \brace\b
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[threadIdx.x] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < kWarps ? of_warp[lane] : 0.0f);
// END: block_sum
