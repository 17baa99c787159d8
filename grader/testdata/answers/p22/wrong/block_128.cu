// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The kernel is written for 256 threads and launched with 128: block_sum adds four partial sums that nobody wrote.
// SAYS: 128|partial|threads|warps|block
// SAYS: never (been )?written|256|kThreads|four|half|uninitiali|nobody
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads|cudaMemset
// HELD: no
// FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, 128>>>(x, weight, out, rows, columns, eps);
// END: launch
