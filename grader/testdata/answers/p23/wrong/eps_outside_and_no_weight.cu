// ENTRY: registers
// CLASS: missing-term
// CAUSE: Two mistakes in two blanks: eps is added outside the root, and the weights are left out.
// SAYS: keep_in_registers.*eps
// SAYS: scale_from_registers.*weight
// NEVER: \brace\b
// HELD: no
// FILL ME IN: keep_in_registers (answer)
  // Unrolled, every index is known to the compiler, and each element becomes a register: those have no
  // addresses. And all loads are under way before the first value is used.
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = threadIdx.x + i * blockDim.x;
    kept[i] = column < columns ? x_row[column] : 0.0f;
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += kept[i] * kept[i];
  inverse_rms = 1.0f / (sqrtf(block_sum(sum) / columns) + eps);
// END: keep_in_registers
// FILL ME IN: scale_from_registers (answer)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = threadIdx.x + i * blockDim.x;
    if (column < columns) __stcs(out_row + column, kept[i] * inverse_rms );
  }
// END: scale_from_registers
