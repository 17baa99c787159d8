// STYLE: decides by cudaOccupancyMaxActiveBlocksPerMultiprocessor
  // FILL ME IN: decide (roughly 6 lines)
  int fit = 0;
  const size_t bytes = sizeof(float) * fused_floats(hidden);
  if (bytes > 227 * 1024 - 4096) return false;
  cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, layernorm_linear_kernel, kThreads, bytes);
  faster = fit >= 3 && rows / kTile >= 3 * 132;
  // END: decide
