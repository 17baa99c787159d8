// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The loops run over two of the four pieces of a thread.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_tile (answer)
  float4 v[2];
  for (int k = 0; k < 2; ++k)
    if (first + k * kThreads < pieces) v[k] = x_pieces[first + k * kThreads];
  for (int k = 0; k < 2; ++k)
    if (first + k * kThreads < pieces) out_pieces[first + k * kThreads] = v[k];
// END: copy_tile
