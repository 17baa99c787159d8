// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid is rows / kThreads blocks, as for a thread a row: most rows have no block, and few rows give an empty grid.
// SAYS: grid|block|row|launch
// SAYS: \b0\b|empty|too few|never|not written|unwritten|rows?
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: launch (roughly 1 lines)
  row_sums_kernel<<<rows / kThreads, kThreads>>>(x, out, columns);
// END: launch
