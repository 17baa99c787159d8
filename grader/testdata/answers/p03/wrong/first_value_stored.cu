// ENTRY: kernel
// CLASS: index
// CAUSE: The value of the first piece is stored to all four places.
// SAYS: first|same|repeat|copy_tile|value|times|every|\b4\b|1024|equal|element
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_tile (answer)
  float4 v[kInFlight];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k)
    if (first + k * kThreads < pieces) v[k] = x_pieces[first + k * kThreads];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k)
    if (first + k * kThreads < pieces) out_pieces[first + k * kThreads] = v[0];
// END: copy_tile
