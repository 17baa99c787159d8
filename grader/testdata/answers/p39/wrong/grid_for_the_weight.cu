// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid is made of columns and inner: rows of tiles are as many as K needs.
// SAYS: grid|rows?|blocks?|never written|nobody|tiles
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: launch (roughly 5 lines)
  dim3 grid((columns + kTile - 1) / kTile, (inner + kTile - 1) / kTile);
  linear_kernel<<<grid, kThreads>>>(x, weight, bias, out, rows, inner, columns);
  plan_kernel<<<(count + 255) / 256, 256>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us, share, launch_us);
// END: launch
