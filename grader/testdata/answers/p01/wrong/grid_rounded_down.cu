// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: n / 1024 is rounded down, which is no block at all for a small n.
// SAYS: grid|blocks
// SAYS: refused|0|at least 1|empty
// NEVER: race|coalesc
// HELD: no
// FILL ME IN: launch (answer)
  const int blocks = n / (4 * kThreads);
  copy_kernel<<<blocks, kThreads>>>(x, out, n);
// END: launch
