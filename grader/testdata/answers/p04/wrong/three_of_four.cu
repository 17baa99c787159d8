// ENTRY: fused
// CLASS: tail
// CAUSE: The loop does three of the four columns of a thread, so that columns 384 to 511 of each tile are never written.
// SAYS: \b384 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 384(?![.,]?\d)(?! of)|\bthree\b|quarter|kPerThread|tile
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|columns?
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|without (the )?bias
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  float value[kPerThread];
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    value[i] = c < columns ? x[row + c] + bias[c] : 0.0f;
  }
  for (int i = 1; i < kPerThread; ++i) {
    const int c = first + (i - 1) * kThreads;
    if (c < columns) out[row + c] = gelu(value[i - 1]);
  }
// END: fused
