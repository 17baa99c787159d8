// ENTRY: registers
// CLASS: missing-term
// CAUSE: The squares are kept instead of the values: the output is scaled x squared.
// SAYS: squar|keep_in_registers|x\b
// NEVER: \brace\b|eps (is )?missing|weight (is )?missing|\btail\b
// HELD: yes
// FILL ME IN: keep_in_registers (roughly 3 lines)
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    kept[i] = c < columns ? x_row[c] * x_row[c] : 0.0f;
    sum += kept[i];
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: keep_in_registers
