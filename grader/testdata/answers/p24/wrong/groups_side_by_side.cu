// ENTRY: fused
// CLASS: over-budget
// CAUSE: A thread has four neighbouring groups of eight, so that lanes stand 64 bytes apart.
// SAYS: coalesc|sector|stride|apart|lanes
// HELD: yes
  // FILL ME IN: add_normalize (roughly 20 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x * kShare + i) * kEight;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, columns - column),
                          load_eight<kWhole>(residual + row + column, columns - column));
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x * kShare + i) * kEight;
    store_eight<kWhole>(sum + row + column, kept[i], columns - column);
    for (const float value : kept[i].value) squares += value * value;
  }
  const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x * kShare + i) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
  // END: add_normalize
