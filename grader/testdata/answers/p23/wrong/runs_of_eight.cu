// ENTRY: registers
// CLASS: over-budget
// CAUSE: A thread keeps a run of neighbouring columns: its lanes stand kShare floats apart, each request touches many sectors.
// SAYS: sectors|apart|coalesced|neighbour
// SAYS: lanes?|request|ideal|stride|x
// NEVER: wrong (answer|result|value)|extra launch
// HELD: no
// FILL ME IN: keep_in_registers (roughly 3 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x * kShare + i;
    kept[i] = c < columns ? x_row[c] : 0.0f;
  }
  float sum = 0.0f;
  for (int i = 0; i < kShare; ++i) sum += kept[i] * kept[i];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: keep_in_registers
// FILL ME IN: scale_from_registers (roughly 3 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x * kShare + i;
    if (c < columns) out_row[c] = kept[i] * inverse_rms * weight[c];
  }
// END: scale_from_registers
