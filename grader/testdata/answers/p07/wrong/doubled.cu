// ENTRY: kernel
// CLASS: scaling
// CAUSE: The lanes past the eighth read of_warp again (lane % kWarps): every warp counts four times.
// SAYS: \b4\b|four|times|factor
// SAYS: 4|times|factor|multipl
// NEVER: \brace\b
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = warp_sum(of_warp[lane % kWarps]);
// END: block_sum
