// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid is rounded up for one thread a row; the kernel has one block a row, so most rows are never written.
// SAYS: \brows?\b|grid|blocks?
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|too (few|small)|grid|fewer
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|no loop|cudaMemset
// HELD: no
// FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<(rows - 1) / kThreads + 1, kThreads>>>(x, weight, out, rows, columns, eps);
// END: launch
