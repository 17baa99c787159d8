// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The loads are not compared with the number of pieces.
// SAYS: out-of-bounds|past the end|beyond|bound
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_tile (answer)
  float4 v[kInFlight];
  for (int k = 0; k < kInFlight; ++k) v[k] = x_pieces[first + k * kThreads];
  for (int k = 0; k < kInFlight; ++k)
    if (first + k * kThreads < pieces) out_pieces[first + k * kThreads] = v[k];
// END: copy_tile
