// ENTRY: fused
// CLASS: precision
// CAUSE: What is normalised is x + residual before it is rounded to bf16.
// SAYS: round
// SAYS: before|bf16
// NEVER: \brace\b|barrier
// HELD: no
    // FILL ME IN: load_eight (roughly 7 lines)
    if (count > 0) {
      const uint4 bits = *reinterpret_cast<const uint4*>(from);
      const __nv_bfloat162* pairs = reinterpret_cast<const __nv_bfloat162*>(&bits);
      for (int i = 0; i < 4; ++i) {
        const float2 two = __bfloat1622float2(pairs[i]);
        eight.value[2 * i] = two.x;
        eight.value[2 * i + 1] = two.y;
      }
    }
    // END: load_eight
    // FILL ME IN: store_eight (roughly 6 lines)
    if (count > 0) {
      uint4 bits;
      __nv_bfloat162* pairs = reinterpret_cast<__nv_bfloat162*>(&bits);
      for (int i = 0; i < 4; ++i) pairs[i] = __floats2bfloat162_rn(eight.value[2 * i], eight.value[2 * i + 1]);
      *reinterpret_cast<uint4*>(to) = bits;
    }
    // END: store_eight
  // FILL ME IN: normalize (roughly 16 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = load_eight<kWhole>(sum + row + column, columns - column);
    for (int e = 0; e < kEight; ++e) squares += kept[i].value[e] * kept[i].value[e];
  }
  const float scale = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight w = load_eight<kWhole>(weight + column, count);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= scale * w.value[e];
    store_eight<kWhole>(out + row + column, kept[i], count);
  }
  // END: normalize
  // FILL ME IN: add_normalize (roughly 20 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight of_x = load_eight<kWhole>(x + row + column, columns - column);
    const Eight of_residual = load_eight<kWhole>(residual + row + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] = of_x.value[e] + of_residual.value[e];
    store_eight<kWhole>(sum + row + column, kept[i], columns - column);
    for (int e = 0; e < kEight; ++e) squares += kept[i].value[e] * kept[i].value[e];
  }
  const float scale = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight w = load_eight<kWhole>(weight + column, count);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= scale * w.value[e];
    store_eight<kWhole>(out + row + column, kept[i], count);
  }
  // END: add_normalize
