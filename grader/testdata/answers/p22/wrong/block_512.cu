// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The launch asks for 512 threads; __launch_bounds__ promises at most 256.
// SAYS: \b512 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 512(?![.,]?\d)(?! of)|launch_bounds|at most 256|256 threads
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b
// HELD: no
// FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, 2 * kThreads>>>(x, weight, out, rows, columns, eps);
// END: launch
