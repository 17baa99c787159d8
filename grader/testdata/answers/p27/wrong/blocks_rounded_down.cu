// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The number of blocks is rounded down: the bags of the last block are never pooled.
// SAYS: row|bag|blocks|written|launch
// SAYS: never (been )?written|missing|rounded|not written|in place of
// NEVER: \brace\b|unknown ids
// HELD: no
// FILL ME IN: launch (roughly 3 lines)
  const int blocks = bags / kWarpsPerBlock > 0 ? bags / kWarpsPerBlock : 1;
  bag_kernel<<<blocks, kThreads>>>(ids, offsets, table, out, bags, count, vocabulary, width, mean != 0);
// END: launch
