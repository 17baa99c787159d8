// ENTRY: fused
// CLASS: tail
// CAUSE: columns is given as the count of every group: groups past the end of the row are loaded and stored.
// SAYS: past|end|out.of.bounds|race|row
  // FILL ME IN: add_normalize (roughly 20 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, columns),
                          load_eight<kWhole>(residual + row + column, columns));
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    store_eight<kWhole>(sum + row + column, kept[i], columns);
    for (const float value : kept[i].value) squares += value * value;
  }
  const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns);
  }
  // END: add_normalize
