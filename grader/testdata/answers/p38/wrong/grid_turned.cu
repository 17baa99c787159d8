// ENTRY: unfused
// CLASS: launch-shape
// CAUSE: rows of tiles along x of the grid, columns along y
// SAYS: never written|not written|unwritten|grid|rows|tile|block
// NEVER: race|barrier
// HELD: yes
// FILL ME IN: launch_unfused (roughly 6 lines)
  const size_t floats = static_cast<size_t>(rows) * hidden;
  float* between = nullptr;
  cudaMalloc(&between, floats * sizeof(float));
  layernorm_kernel<<<(rows - 1) / kWarps + 1, kThreads>>>(x, gamma, beta, between, rows, hidden, eps);
  linear_kernel<<<dim3((rows - 1) / 32 + 1, (out_dim - 1) / 32 + 1), kThreads>>>(between, weight, bias, out, rows,
                                                                               hidden, out_dim);
  cudaFree(between);
// END: launch_unfused
// FILL ME IN: launch_fused (roughly 4 lines)
  const size_t bytes = fused_floats(hidden) * sizeof(float);
  if (bytes > 40 * 1024)
    cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  layernorm_linear_kernel<<<(rows - 1) / 32 + 1, 256, bytes>>>(x, gamma, beta, weight, bias, out, rows, hidden, out_dim,
                                                             eps);
// END: launch_fused
// FILL ME IN: decide (roughly 6 lines)
  faster = rows / 32 >= 3 * 132 && hidden <= 512;
// END: decide
