// ENTRY: kernel
// CLASS: index
// CAUSE: The index of a piece leaves out the number of the block, so all blocks copy the first tile.
// SAYS: race|same (place|element|value)|again|blocks?|never (been )?written|not written|unwritten|nobody|no one|untouched
// NEVER: coalesc
// NEVER: shared memory
// HELD: yes
// FILL ME IN: copy_tile (answer)
  float4 v[kInFlight];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k)
    if (threadIdx.x + k * kThreads < pieces) v[k] = x_pieces[threadIdx.x + k * kThreads];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k)
    if (threadIdx.x + k * kThreads < pieces) out_pieces[threadIdx.x + k * kThreads] = v[k];
// END: copy_tile
