// STYLE: squares added up in double
// FILL ME IN: normalize
  double squares = 0.0;
  for (int i = 0; i < kShare; ++i) {
    const int first = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = load_eight<kWhole>(sum + row + first, columns - first);
    for (int e = 0; e < kEight; ++e) squares += double(kept[i].value[e]) * kept[i].value[e];
  }
  const float total = block_sum(float(squares));
  const float inverse_rms = float(1.0 / sqrt(double(total) / columns + eps));
  for (int i = kShare - 1; i >= 0; --i) {
    const int first = (threadIdx.x + i * blockDim.x) * kEight;
    Eight answer = load_eight<kWhole>(weight + first, columns - first);
    for (int e = 0; e < kEight; ++e) answer.value[e] *= kept[i].value[e] * inverse_rms;
    store_eight<kWhole>(out + row + first, answer, columns - first);
  }
// END: normalize
