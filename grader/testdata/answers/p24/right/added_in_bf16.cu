// STYLE: the residual is added by __hadd2, which rounds once; squares by fmaf; 1 / sqrtf
// FILL ME IN: add_normalize
  float squares = 0.0f;
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, left = columns - column;
    const Eight a = load_eight<kWhole>(x + row + column, left), b = load_eight<kWhole>(residual + row + column, left);
    for (int e = 0; e < kEight; e += 2) {
      const float2 both = __bfloat1622float2(__hadd2(__floats2bfloat162_rn(a.value[e], a.value[e + 1]),
                                                     __floats2bfloat162_rn(b.value[e], b.value[e + 1])));
      kept[i].value[e] = both.x;
      kept[i].value[e + 1] = both.y;
      squares = fmaf(both.x, both.x, fmaf(both.y, both.y, squares));
    }
    store_eight<kWhole>(sum + row + column, kept[i], left);
  }
  const float rms = sqrtf(block_sum(squares) / columns + eps);
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, left = columns - column;
    const Eight g = load_eight<kWhole>(weight + column, left);
    for (int e = 0; e < kEight; ++e) kept[i].value[e] = kept[i].value[e] / rms * g.value[e];
    store_eight<kWhole>(out + row + column, kept[i], left);
  }
// END: add_normalize
