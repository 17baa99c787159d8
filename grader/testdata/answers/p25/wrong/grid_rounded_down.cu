// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: tokens / 8 is rounded down: the last one to seven tokens have no warp, and fewer than eight tokens give a grid of 0 blocks.
// SAYS: grid|blocks?\b|tokens?\b|rows?\b
// SAYS: (is|be|has|=|grid) \(?0\b|zero|empty|too (few|small)|round|never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|invalid|\blast
// NEVER: misaligned|\brace\b
// HELD: yes
// FILL ME IN: launch (roughly 9 lines)
  const int blocks = tokens / kWarpsPerBlock;
  if (width % 4 == 0) {
    gather_kernel<<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out),
                                        tokens, vocabulary, width / 4);
  } else {
    gather_kernel<<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  }
// END: launch
