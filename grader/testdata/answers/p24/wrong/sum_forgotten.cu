// ENTRY: fused
// CLASS: missing-term
// CAUSE: The fused kernel does not write `sum`.
// SAYS: sum.*(never|not) (been )?written|nobody|unwritten|add_normalize
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: add_normalize (roughly 20 lines)
  float total = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, count),
                          load_eight<kWhole>(residual + row + column, count));
    for (int e = 0; e < kEight; ++e) total += kept[i].value[e] * kept[i].value[e];
  }
  const float inverse = rsqrtf(block_sum(total) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight w = load_eight<kWhole>(weight + column, count);
    Eight y;
    for (int e = 0; e < kEight; ++e) y.value[e] = kept[i].value[e] * inverse * w.value[e];
    store_eight<kWhole>(out + row + column, y, count);
  }
  // END: add_normalize
