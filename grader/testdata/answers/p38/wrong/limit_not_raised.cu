// ENTRY: fused
// CLASS: launch-shape
// CAUSE: more than 48 KiB of shared memory without having asked for it
// SAYS: shared
// NEVER: race|barrier
// HELD: no
// FILL ME IN: launch_unfused (roughly 6 lines)
  const size_t floats = static_cast<size_t>(rows) * hidden;
  float* between = nullptr;
  cudaMalloc(&between, floats * sizeof(float));
  layernorm_kernel<<<(rows - 1) / kWarps + 1, kThreads>>>(x, gamma, beta, between, rows, hidden, eps);
  linear_kernel<<<dim3((out_dim - 1) / 32 + 1, (rows - 1) / 32 + 1), kThreads>>>(between, weight, bias, out, rows,
                                                                               hidden, out_dim);
  cudaFree(between);
// END: launch_unfused
// FILL ME IN: launch_fused (roughly 4 lines)
  layernorm_linear_kernel<<<(rows - 1) / 32 + 1, 256, fused_floats(hidden) * sizeof(float)>>>(
      x, gamma, beta, weight, bias, out, rows, hidden, out_dim, eps);
// END: launch_fused
// FILL ME IN: decide (roughly 6 lines)
  faster = rows / 32 >= 3 * 132 && hidden <= 512;
// END: decide
