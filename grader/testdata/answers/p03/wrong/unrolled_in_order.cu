// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The loop is unrolled, but without restricted pointers the compiler may not move a load in front of a store.
// SAYS: waits?|under way|in flight
// SAYS: load|store|time|bytes
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_tile (answer)
  const long mine = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long threads = static_cast<long>(gridDim.x) * kThreads;
#pragma unroll 8
  for (long p = mine; p < pieces; p += threads) out_pieces[p] = x_pieces[p];
// END: copy_tile
