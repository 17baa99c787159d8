// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The number of blocks is worked out as if a piece were 16 floats: too few blocks.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched|grid|blocks
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: launch (answer)
  const long tiles = (n + kTile * 16 - 1) / (kTile * 16);
  copy_kernel<<<tiles, kThreads>>>(x, out, n);
// END: launch
