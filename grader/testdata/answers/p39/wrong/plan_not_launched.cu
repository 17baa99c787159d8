// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: The plan is never launched: library_us, own_us and use_own are left as they were.
// SAYS: never written|nobody|unwritten|not written|not launched|no launch
// SAYS: library_us|plan
// NEVER: barrier|\brace\b|bias
// HELD: yes
// FILL ME IN: launch (roughly 5 lines)
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_kernel<<<grid, kThreads>>>(x, weight, bias, out, rows, inner, columns);
// END: launch
