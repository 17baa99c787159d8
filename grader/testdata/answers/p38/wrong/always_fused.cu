// ENTRY: chosen
// CLASS: over-budget
// CAUSE: the bytes are fewer, so it always fuses; with few rows or long ones that takes longer
// SAYS: takes .* where
// SAYS: unfused
// NEVER: race|barrier
// HELD: yes
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
  const size_t bytes = fused_floats(hidden) * sizeof(float);
  if (bytes > 40 * 1024)
    cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  layernorm_linear_kernel<<<(rows - 1) / 32 + 1, 256, bytes>>>(x, gamma, beta, weight, bias, out, rows, hidden, out_dim,
                                                             eps);
// END: launch_fused
// FILL ME IN: decide (roughly 6 lines)
  const double fused = double(rows) * (hidden + out_dim), unfused = double(rows) * (3 * hidden + out_dim);
  faster = fused < unfused;
// END: decide
