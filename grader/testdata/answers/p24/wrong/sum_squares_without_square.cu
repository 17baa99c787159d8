// ENTRY: unfused
// CLASS: missing-term
// CAUSE: The elements are added up, not their squares.
// SAYS: square|sum
  // FILL ME IN: normalize (roughly 16 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = load_eight<kWhole>(sum + row + column, columns - column);
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    for (const float value : kept[i].value) squares += value;
  const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
  // END: normalize
