// ENTRY: kernel
// CLASS: pointer
// CAUSE: x and weight are passed in each other's place.
// SAYS: x\b|weight
// SAYS: exchang|swap|place|instead|past|behind|beyond|end|out-of-bounds
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: launch (roughly 5 lines)
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_kernel<<<grid, kThreads>>>(weight, x, bias, out, rows, inner, columns);
  plan_kernel<<<(count + 255) / 256, 256>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us, share, launch_us);
// END: launch
