// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Grid of the plan rounded down.
// SAYS: grid|block|refused|launch
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: launch (roughly 5 lines)
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_kernel<<<grid, kThreads>>>(x, weight, bias, out, rows, inner, columns);
  plan_kernel<<<count / kThreads, kThreads>>>(jobs, library_us, own_us, use_own, count, flops_per_us,
                                                               bytes_per_us, share, launch_us);
  // END: launch
