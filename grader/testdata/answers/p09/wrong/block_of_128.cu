// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: normalize_kernel is launched with 128 threads although its loop advances by 256: half of the columns are never written.
// SAYS: \b128 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 128(?![.,]?\d)(?! of)|block|threads|columns?
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|\b128 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 128(?![.,]?\d)(?! of)|half|kThreads|advances|stride
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|cudaMemset
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads / 2>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
