// ENTRY: registers
// CLASS: scaling
// CAUSE: The mean divides by kShare times the threads, not by the row's length.
// SAYS: kShare|threads|length|padded|divi|columns|mean
// SAYS: kShare|padded|rounded|divi|mean square|instead|too (small|large)
// NEVER: \brace\b|weight (is )?missing|eps (is )?missing
// HELD: yes
// FILL ME IN: keep_in_registers (roughly 3 lines)
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    kept[i] = c < columns ? x_row[c] : 0.0f;
    sum += kept[i] * kept[i];
  }
  inverse_rms = rsqrtf(block_sum(sum) / (blockDim.x * kShare) + eps);
// END: keep_in_registers
