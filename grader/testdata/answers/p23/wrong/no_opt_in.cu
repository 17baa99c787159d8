// ENTRY: shared
// CLASS: allocation
// CAUSE: More than 48 KiB of dynamic shared memory without cudaFuncSetAttribute: the launch is refused.
// SAYS: refused|limit
// SAYS: shared memory|cudaFuncSetAttribute
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: launch_shared (roughly 2 lines)
  const int threads = columns >= kMostThreads ? kMostThreads : (columns + kWarp - 1) / kWarp * kWarp;
  shared_kernel<<<rows, threads, sizeof(float) * columns>>>(x, weight, out, columns, eps);
  // END: launch_shared
