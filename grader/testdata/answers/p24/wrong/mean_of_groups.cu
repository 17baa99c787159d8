// ENTRY: fused
// CLASS: scaling
// CAUSE: The squares are divided by the number of groups, an eighth of N.
// SAYS: divi|mean|number|columns|8|eight|statistics|scal|factor
// HELD: yes
  // FILL ME IN: add_normalize (roughly 20 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, columns - column),
                          load_eight<kWhole>(residual + row + column, columns - column));
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    store_eight<kWhole>(sum + row + column, kept[i], columns - column);
    for (const float value : kept[i].value) squares += value * value;
  }
  const float inverse_rms = rsqrtf(block_sum(squares) / (columns / static_cast<float>(kEight)) + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
  // END: add_normalize
