// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Blocks have one warp, the grid counts four rows a block.
// SAYS: block|kThreads
// SAYS: 128|four|32|kWarp
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: launch (roughly 2 lines)
  const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  layernorm_kernel<<<blocks, kWarp>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
