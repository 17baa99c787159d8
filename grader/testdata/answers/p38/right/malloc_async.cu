// STYLE: memory of the stream, a whole grid by a helper lambda, warps counted
// FILL ME IN: launch_unfused (roughly 6 lines)
  const auto over = [](int a, int b) { return (a + b - 1) / b; };
  float* n;
  cudaMallocAsync(&n, 4ull * rows * hidden, 0);
  layernorm_kernel<<<over(rows, 8), 256>>>(x, gamma, beta, n, rows, hidden, eps);
  linear_kernel<<<dim3(over(out_dim, kTile), over(rows, kTile)), 256>>>(n, weight, bias, out, rows, hidden, out_dim);
  cudaFreeAsync(n, 0);
// END: launch_unfused
// FILL ME IN: launch_fused (roughly 4 lines)
  const size_t bytes = fused_floats(hidden) * sizeof(float);
  if (bytes > 40 * 1024)
    cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  layernorm_linear_kernel<<<(rows - 1) / 32 + 1, 256, bytes>>>(x, gamma, beta, weight, bias, out, rows, hidden, out_dim,
                                                             eps);
// END: launch_fused
// FILL ME IN: decide (roughly 6 lines)
  const int room = 233472 / (4 * fused_floats(hidden) + 4096), there = rows / 32 / 132;
  const int warps = 8 * (room < there ? room : there);
  faster = warps >= 24;
// END: decide
