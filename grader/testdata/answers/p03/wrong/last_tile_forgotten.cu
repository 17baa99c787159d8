// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The number of blocks is rounded down, so the last tile is left out, or the grid is empty.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched|grid|blocks|refused
// NEVER: \brace\b
// NEVER: coalesc
// HELD: yes
// FILL ME IN: launch (answer)
  copy_kernel<<<n / (kTile * kFloats), kThreads>>>(x, out, n);
// END: launch
