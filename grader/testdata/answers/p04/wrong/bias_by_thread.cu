// ENTRY: fused
// CLASS: index
// CAUSE: bias is indexed by threadIdx.x, the place in the block, so that columns 128 and on get the bias of columns 0 to 127.
// SAYS: bias
// SAYS: threadIdx|thread|\b128 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 128(?![.,]?\d)(?! of)|column|shift|index
// NEVER: bias (is )?(missing|not added)|without (the )?bias|exactly this:.*\berf|(is|uses|computes) the erf
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = gelu(x[row + c] + bias[threadIdx.x]);
  }
// END: fused
