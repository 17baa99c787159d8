// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The number of blocks is rounded down: the parameters behind the last whole block are not updated, and a small count has a grid of 0 blocks.
// SAYS: grid|blocks?|\b1024 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 1024(?![.,]?\d)(?! of)|last|count
// SAYS: (is|are|by|with|to|be|gives?|has|stays?|=|grid) \(?0(?![.,]?\d)|zero|empty|too (few|small)|round|never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|invalid|last
// NEVER: \brace\b|misaligned|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  adam_kernel<<<static_cast<unsigned>(count / (4 * kThreads)), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
