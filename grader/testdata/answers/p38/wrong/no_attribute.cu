// ENTRY: fused
// CLASS: launch-shape
// CAUSE: More than 48 KiB of shared memory is not asked for.
// SAYS: 48|shared|attribute|refused
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: launch_fused (roughly 4 lines)
  const int bytes = sizeof(float) * fused_floats(hidden);
  layernorm_linear_kernel<<<(rows + kTile - 1) / kTile, kThreads, bytes>>>(x, gamma, beta, weight, bias, out, rows,
                                                                          hidden, out_dim, eps);
  // END: launch_fused
