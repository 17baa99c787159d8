// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A thread that finds no further piece returns before it has stored those that it has loaded.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_tile (answer)
  float4 v[kInFlight];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k) {
    const long p = first + k * kThreads;
    if (p >= pieces && blockIdx.x > 0) return;
    if (p < pieces) v[k] = x_pieces[p];
  }
#pragma unroll
  for (int k = 0; k < kInFlight; ++k) {
    const long p = first + k * kThreads;
    if (p < pieces) out_pieces[p] = v[k];
  }
// END: copy_tile
