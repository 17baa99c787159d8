// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: A thread updates one parameter but the grid has a thread for every four: three quarters are never updated.
// SAYS: quarter|grid|blocks?|\bone\b|\bfour\b|\b4 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 4(?![.,]?\d)(?! of)|count|never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|not updated|never updated|too (few|small)|grid|quarter
// NEVER: \brace\b|misaligned|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: step (roughly 20 lines)
  const long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
// END: step
