// ENTRY: unfused
// CLASS: tail
// CAUSE: `add_bias` has no loop: its 256 threads write columns 0 to 255 of `biased` and nobody the rest.
// SAYS: \b256 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 256(?![.,]?\d)(?! of)|loop|stride
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|loop|columns? (256|from|on)|only
// NEVER: cudaMemset|initiali[sz]e the (buffer|memory)
// HELD: no
// FILL ME IN: add_bias (roughly 2 lines)
  const int c = threadIdx.x;
  if (c < columns) biased[row + c] = x[row + c] + bias[c];
// END: add_bias
