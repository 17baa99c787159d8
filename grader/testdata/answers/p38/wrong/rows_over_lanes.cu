// ENTRY: unfused
// CLASS: launch-shape
// CAUSE: launch_unfused: the grid of layernorm_kernel is rows over kWarp = 32, the lanes of a warp, where a block has kWarps = 8 warps and so 8 rows. Only about a quarter of the rows are normalised; the product reads the others from memory that nobody has written.
// SAYS: grid
// SAYS: layernorm_kernel|launch 1
// NEVER: barrier
// NEVER: syncthreads
// HELD: no
// FILL ME IN: launch_unfused (roughly 6 lines)
  const auto blocks_for = [](int things, int each) { return static_cast<unsigned>((things + each - 1) / each); };
  float* buffer = nullptr;
  cudaMalloc(&buffer, static_cast<size_t>(rows) * hidden * sizeof(float));
  layernorm_kernel<<<blocks_for(rows, kWarp), kThreads>>>(x, gamma, beta, buffer, rows, hidden, eps);
  linear_kernel<<<dim3(blocks_for(out_dim, kTile), blocks_for(rows, kTile)), kThreads>>>(
      buffer, weight, bias, out, rows, hidden, out_dim);
  cudaFree(buffer);
// END: launch_unfused
// FILL ME IN: launch_fused (roughly 4 lines)
  const size_t dynamic_bytes = sizeof(float) * fused_floats(hidden);
  cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(dynamic_bytes));
  const unsigned row_tiles = static_cast<unsigned>((rows + kTile - 1) / kTile);
  layernorm_linear_kernel<<<row_tiles, kThreads, dynamic_bytes>>>(x, gamma, beta, weight, bias, out, rows, hidden,
                                                                  out_dim, eps);
// END: launch_fused
// FILL ME IN: decide (roughly 6 lines)
  int processors = 0, room = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  const int block_bytes = static_cast<int>(sizeof(float)) * (fused_floats(hidden) + kTile * kTile);
  const int resident = room / block_bytes;
  const int fused_blocks = (rows + kTile - 1) / kTile;
  faster = resident >= 3 && fused_blocks >= 3 * processors;
// END: decide
