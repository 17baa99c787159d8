// ENTRY: registers
// CLASS: index
// CAUSE: Weight is read at the thread's number and not at the column, so columns behind the first round use the first round's weights (entry registers).
// SAYS: weight
// SAYS: thread|block|modulo
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: keep_in_shared (roughly 8 lines)
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float v = x_row[c];
    kept[c] = v;
    squares += v * v;
  }
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
  // END: keep_in_shared
  // FILL ME IN: scale_from_shared (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out_row[c] = kept[c] * inverse_rms * weight[c];
  // END: scale_from_shared
  // FILL ME IN: keep_in_registers (roughly 9 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    kept[i] = c < columns ? x_row[c] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i) squares += kept[i] * kept[i];
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
  // END: keep_in_registers
  // FILL ME IN: scale_from_registers (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    if (c < columns) out_row[c] = kept[i] * inverse_rms * weight[threadIdx.x];
  }
  // END: scale_from_registers
  // FILL ME IN: launch_shared (roughly 7 lines)
  const int threads = columns >= 8192 ? 1024 : columns >= 1024 ? 256 : 64;
  const int bytes = columns * static_cast<int>(sizeof(float));
  cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  shared_kernel<<<rows, threads, bytes>>>(x, weight, out, columns, eps);
  // END: launch_shared
  // FILL ME IN: launch_registers (roughly 6 lines)
  if (columns <= 8 * 128) registers_kernel<8><<<rows, 128>>>(x, weight, out, columns, eps);
  else if (columns <= 16 * 256) registers_kernel<16><<<rows, 256>>>(x, weight, out, columns, eps);
  else if (columns <= 16 * 1024) registers_kernel<16><<<rows, 1024>>>(x, weight, out, columns, eps);
  else registers_kernel<32><<<rows, 1024>>>(x, weight, out, columns, eps);
  // END: launch_registers
