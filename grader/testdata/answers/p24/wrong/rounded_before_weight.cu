// ENTRY: fused
// CLASS: precision
// CAUSE: The normalised value is rounded to bf16 before it is multiplied by weight.
// SAYS: rounded
// SAYS: bf16
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: add_normalize (roughly 17 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, count), load_eight<kWhole>(residual + row + column, count));
    store_eight<kWhole>(sum + row + column, kept[i], count);
    for (int e = 0; e < kEight; ++e) squares += kept[i].value[e] * kept[i].value[e];
  }
  const float scale = rsqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight w = load_eight<kWhole>(weight + column, count);
    for (int e = 0; e < kEight; ++e)
      kept[i].value[e] = __bfloat162float(__float2bfloat16_rn(kept[i].value[e] * scale)) * w.value[e];
    store_eight<kWhole>(out + row + column, kept[i], count);
  }
  // END: add_normalize
