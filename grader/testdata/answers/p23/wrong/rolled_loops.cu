// ENTRY: registers
// CLASS: over-budget
// CAUSE: The loops over kept[] are not unrolled, so that it is indexed at run time and lies in local memory.
// SAYS: [Ll]ocal memory
// NEVER: barrier
// HELD: no
// FILL ME IN: keep_in_registers (roughly 9 lines)
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < kShare; ++i) {
    const int column = threadIdx.x + i * blockDim.x;
    kept[i] = column < columns ? x_row[column] : 0.0f;
    sum += kept[i] * kept[i];
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: keep_in_registers
// FILL ME IN: scale_from_registers (roughly 5 lines)
#pragma unroll 1
  for (int i = 0; i < kShare; ++i) {
    const int column = threadIdx.x + i * blockDim.x;
    if (column < columns) out_row[column] = kept[i] * inverse_rms * weight[column];
  }
// END: scale_from_registers
