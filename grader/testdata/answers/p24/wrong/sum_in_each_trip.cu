// ENTRY: fused
// CLASS: race
// CAUSE: block_sum is called for each group: its partial sums are overwritten while others read them.
// SAYS: race|barrier|__syncthreads
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
    float of_group = 0.0f;
    for (const float value : kept[i].value) of_group += value * value;
    squares += block_sum(of_group);
  }
  const float inverse_rms = rsqrtf(squares / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
  // END: add_normalize
