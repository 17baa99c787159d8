// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each thread has four pieces in a row, so the lanes of a warp stand 64 bytes apart.
// SAYS: \bx\b|\bout\b
// SAYS: coalesc|sectors?|apart
// NEVER: wrong (answer|value)
// HELD: no
// FILL ME IN: copy_tile (answer)
  const long mine = (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x) * kInFlight;
  float4 v[kInFlight];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k)
    if (mine + k < pieces) v[k] = x_pieces[mine + k];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k)
    if (mine + k < pieces) out_pieces[mine + k] = v[k];
// END: copy_tile
