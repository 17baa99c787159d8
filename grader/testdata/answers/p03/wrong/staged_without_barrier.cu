// ENTRY: kernel
// CLASS: race
// CAUSE: The tile goes through shared memory and is stored by other threads than those that loaded it, with no barrier in between.
// SAYS: race|__syncthreads|barrier|no order
// NEVER: coalesc
// HELD: yes
// FILL ME IN: copy_tile (answer)
  __shared__ float4 tile[kTile];
  for (int k = 0; k < kInFlight; ++k) {
    const long p = first + k * kThreads;
    if (p < pieces) tile[p % kTile] = x_pieces[p];
  }
  const long begin = first - threadIdx.x;
  for (int k = 0; k < kInFlight; ++k) {
    const int at = k * kThreads + (kThreads - 1 - threadIdx.x);
    if (begin + at < pieces) out_pieces[begin + at] = tile[at];
  }
// END: copy_tile
