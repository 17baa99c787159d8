// ENTRY: unfused
// CLASS: stream-order
// CAUSE: the product is launched in front of the LayerNorm whose result it reads
// SAYS: before|uninitialised|never written|order|not yet
// NEVER: race|barrier
// HELD: yes
// FILL ME IN: launch_unfused (roughly 6 lines)
  float* between = nullptr;
  cudaMalloc(&between, sizeof(float) * rows * hidden);
  linear_kernel<<<dim3((out_dim - 1) / 32 + 1, (rows - 1) / 32 + 1), kThreads>>>(between, weight, bias, out, rows,
                                                                               hidden, out_dim);
  layernorm_kernel<<<(rows - 1) / kWarps + 1, kThreads>>>(x, gamma, beta, between, rows, hidden, eps);
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
