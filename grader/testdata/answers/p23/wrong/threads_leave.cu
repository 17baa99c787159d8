// ENTRY: registers
// CLASS: barrier
// CAUSE: Threads without a column return before block_sum, whose barrier and shuffles need them.
// SAYS: mask|lanes|barrier|__syncthreads|block_sum|return|shuffle
// SAYS: threads?|lanes?|left|return|exit|reach
// NEVER: eps (is )?missing|weight (is )?missing
// HELD: no
// FILL ME IN: keep_in_registers (roughly 3 lines)
  if (static_cast<int>(threadIdx.x) >= columns) return;
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    kept[i] = c < columns ? x_row[c] : 0.0f;
    sum += kept[i] * kept[i];
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: keep_in_registers
