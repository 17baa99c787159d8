// ENTRY: fused
// CLASS: precision
// CAUSE: The upper half of a word is taken as a float with the lower half still in it: the 16 bits of the neighbour are not cleared and stand as further digits of the odd elements.
// HELD: no
// SAYS: mask|clear|lower half|low(er)? (16 )?bits|lower|upper|high|0xffff0000|neighbou?r|digits|mantissa|odd
    // FILL ME IN: load_eight (roughly 7 lines)
    if (count > 0) {
      const uint4 words = *reinterpret_cast<const uint4*>(from);
      const unsigned word[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {  // a bf16 is the upper half of a float: no conversion needed
        eight.value[2 * i] = __uint_as_float(word[i] << 16);
        eight.value[2 * i + 1] = __uint_as_float(word[i]);
      }
    }
    // END: load_eight
    // FILL ME IN: store_eight (roughly 6 lines)
    if (count > 0) {
      uint4 words;
      __nv_bfloat162* pairs = reinterpret_cast<__nv_bfloat162*>(&words);
#pragma unroll
      for (int i = 0; i < 4; ++i) pairs[i] = __floats2bfloat162_rn(eight.value[2 * i], eight.value[2 * i + 1]);
      *reinterpret_cast<uint4*>(to) = words;
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
  const float inverse_rms = 1.0f / sqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight w = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * w.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
  // END: normalize
  // FILL ME IN: add_normalize (roughly 20 lines)
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    kept[i] = add_rounded(load_eight<kWhole>(x + row + column, count),
                          load_eight<kWhole>(residual + row + column, count));
    store_eight<kWhole>(sum + row + column, kept[i], count);
    for (int e = 0; e < kEight; ++e) squares += kept[i].value[e] * kept[i].value[e];
  }
  const float inverse_rms = 1.0f / sqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    const Eight w = load_eight<kWhole>(weight + column, columns - column);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] *= inverse_rms * w.value[e];
    store_eight<kWhole>(out + row + column, kept[i], columns - column);
  }
  // END: add_normalize
