// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The kernel is written for 256 threads and launched with 128: block_sum adds four partial sums that nobody wrote.
// SAYS: \b128 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 128(?![.,]?\d)(?! of)|partial|threads|warps|block
// SAYS: never (been )?written|\b256 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 256(?![.,]?\d)(?! of)|kThreads|\bfour\b|half|uninitiali|nobody
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads|cudaMemset
// HELD: yes
// FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, 128>>>(x, weight, out, rows, columns, eps);
// END: launch
