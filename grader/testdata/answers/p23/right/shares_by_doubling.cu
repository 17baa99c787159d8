// STYLE: the share is doubled from 4 until 1024 threads reach the row, the kernel is picked as a pointer, two accumulators, the store loop runs backwards
// FILL ME IN: keep_in_registers (roughly 9 lines)
  const int stride = static_cast<int>(blockDim.x);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int at = static_cast<int>(threadIdx.x) + i * stride;
    kept[i] = 0.0f;
    if (at < columns) kept[i] = x_row[at];
  }
  float squares[2] = {0.0f, 0.0f};
#pragma unroll
  for (int i = 0; i < kShare; ++i) squares[i & 1] = fmaf(kept[i], kept[i], squares[i & 1]);
  const float mean_square = block_sum(squares[0] + squares[1]) / static_cast<float>(columns);
  inverse_rms = 1.0f / sqrtf(mean_square + eps);
// END: keep_in_registers
// FILL ME IN: scale_from_registers (roughly 5 lines)
#pragma unroll
  for (int i = kShare - 1; i >= 0; --i) {
    const int at = static_cast<int>(threadIdx.x) + i * stride;
    if (at >= columns) continue;
    out_row[at] = weight[at] * (inverse_rms * kept[i]);
  }
// END: scale_from_registers
// FILL ME IN: launch_registers (roughly 6 lines)
  int share = 4;
  while (share * kMostThreads < columns) share *= 2;
  int threads = (columns + share - 1) / share;
  threads = (threads + kWarp - 1) & ~(kWarp - 1);
  auto kernel = registers_kernel<32>;
  if (share == 16) kernel = registers_kernel<16>;
  if (share == 8) kernel = registers_kernel<8>;
  if (share == 4) kernel = registers_kernel<4>;
  kernel<<<rows, threads>>>(x, weight, out, columns, eps);
// END: launch_registers
