// STYLE: as the hints have it
// FILL ME IN: keep_in_shared (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    kept[column] = x_row[column];
    sum += kept[column] * kept[column];
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: keep_in_shared
// FILL ME IN: launch_shared (roughly 4 lines)
  const int bytes = columns * static_cast<int>(sizeof(float));
  cudaFuncSetAttribute(
      shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  shared_kernel<<<rows, 256, bytes>>>(x, weight, out, columns, eps);
// END: launch_shared
// FILL ME IN: launch_registers (roughly 6 lines)
  const int share = columns <= 8192 ? 8 : 32;
  const int threads = ((columns + share - 1) / share + 31) / 32 * 32;
  if (share == 8)
    registers_kernel<8><<<rows, threads>>>(x, weight, out, columns, eps);
  else
    registers_kernel<32><<<rows, threads>>>(x, weight, out, columns, eps);
// END: launch_registers
