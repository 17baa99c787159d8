// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The number of blocks is rounded down: there are none below 1024 elements.
// SAYS: grid|blocks
// SAYS: 0|none|least 1
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: launch (roughly 2 lines)
  const long blocks = n / (4 * kThreads);
  copy_kernel<<<blocks, kThreads>>>(x, out, n);
  // END: launch
