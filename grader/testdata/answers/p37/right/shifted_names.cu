// STYLE: three named variables that are shifted, a loop unrolled by the compiler, loads ahead by software pipelining
// FILL ME IN: keep (roughly 7 lines)
  taps[0] = weight[channel];
  taps[1] = weight[channels + channel];
  taps[2] = weight[2 * channels + channel];
  taps[3] = weight[3 * channels + channel];
// END: keep
// FILL ME IN: walk (roughly 16 lines)
  const float* column = x + channel;
  auto at = [&](int step) { return step >= 0 && step < end ? column[size_t(step) * channels] : 0.f; };
  float c = at(first - 3), b = at(first - 2), a = at(first - 1);
  float n0 = at(first), n1 = at(first + 1), n2 = at(first + 2), n3 = at(first + 3);
  float* to = out + channel;
  for (int step = first; step < end; step += 4) {
    float m0 = at(step + 4), m1 = at(step + 5), m2 = at(step + 6), m3 = at(step + 7);
    to[size_t(step) * channels] = taps[0] * n0 + taps[1] * a + taps[2] * b + taps[3] * c;
    if (step + 1 < end) to[size_t(step + 1) * channels] = taps[0] * n1 + taps[1] * n0 + taps[2] * a + taps[3] * b;
    if (step + 2 < end) to[size_t(step + 2) * channels] = taps[0] * n2 + taps[1] * n1 + taps[2] * n0 + taps[3] * a;
    if (step + 3 < end) to[size_t(step + 3) * channels] = taps[0] * n3 + taps[1] * n2 + taps[2] * n1 + taps[3] * n0;
    c = n1, b = n2, a = n3;
    n0 = m0, n1 = m1, n2 = m2, n3 = m3;
  }
// END: walk
