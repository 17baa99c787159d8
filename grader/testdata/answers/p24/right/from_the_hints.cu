// STYLE: the blanks as the hints have them, completed
// FILL ME IN: load_eight
    if (count <= 0) return eight;
    const uint4 bits = *reinterpret_cast<const uint4*>(from);
    const auto* pairs = reinterpret_cast<const __nv_bfloat162*>(&bits);
    for (int i = 0; i < kEight / 2; ++i) {
      eight.value[2 * i] = __low2float(pairs[i]);
      eight.value[2 * i + 1] = __high2float(pairs[i]);
    }
// END: load_eight
// FILL ME IN: store_eight
    if (count <= 0) return;
    uint4 bits;
    auto* pairs = reinterpret_cast<__nv_bfloat162*>(&bits);
    for (int i = 0; i < kEight / 2; ++i)
      pairs[i] = __floats2bfloat162_rn(eight.value[2 * i], eight.value[2 * i + 1]);
    *reinterpret_cast<uint4*>(to) = bits;
// END: store_eight
// FILL ME IN: normalize
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = load_eight<kWhole>(sum + row + column, columns - column);
    for (const float value : kept[i].value) squares += value * value;
  }
  const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
// END: normalize
// FILL ME IN: add_normalize
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, columns - column),
                          load_eight<kWhole>(residual + row + column, columns - column));
    store_eight<kWhole>(sum + row + column, kept[i], columns - column);
    for (const float value : kept[i].value) squares += value * value;
  }
  const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight scale = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * scale.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
// END: add_normalize
