// STYLE: a time for each design: bytes over bandwidth, and work over the warps that are there
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
  // floats moved through memory, and multiplications, each by a rate of its own
  const double work = double(rows) * hidden * out_dim;
  const double blocks_fused = (rows + 31) / 32, across = (out_dim + 31) / 32;
  const double room = 228.0 * 1024 / (4096 + 4 * fused_floats(hidden));
  const double warps_fused = 8 * fmin(blocks_fused, 132 * fmin(8, floor(room)));
  const double warps_unfused = 8 * fmin(blocks_fused * across, 132 * 7.0);
  const double full = 132 * 24.0;  // with so many warps nothing waits
  const double fused = work / fmin(warps_fused, full);
  const double unfused = work / fmin(warps_unfused, full) * (1 + 24.0 / out_dim);
  faster = fused < unfused;
// END: decide
