// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid of the plan is rounded down: the last jobs have no thread.
// SAYS: grid|never written|nobody|blocks?|launch|last|rounded
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: launch (roughly 5 lines)
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_kernel<<<grid, kThreads>>>(x, weight, bias, out, rows, inner, columns);
  plan_kernel<<<count / 256 + (count < 256), 256>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us, share, launch_us);
// END: launch
