// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has a thread for each token, not a warp: 31 of 32 tokens are never written.
// SAYS: tokens?|\brows?\b|grid|blocks?|warps?
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|too (few|small)|fewer|grid
// NEVER: misaligned|\brace\b|no loop
// HELD: no
// FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens + kThreads - 1) / kThreads;
  gather_kernel<<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
// END: launch
