// STYLE: mean and variance mended with every value, and the lanes merged two by two
// FILL ME IN: statistics
  float n = 0.0f, m = 0.0f, m2 = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    n += 1.0f;
    const float v = x_row[h], d = v - m;
    m += d / n;
    m2 += d * (v - m);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_n = __shfl_xor_sync(~0u, n, distance), other_m = __shfl_xor_sync(~0u, m, distance),
                other_m2 = __shfl_xor_sync(~0u, m2, distance);
    const float both = n + other_n;
    if (both > 0.0f) {
      const float d = other_m - m;
      m2 += other_m2 + d * d * n * other_n / both;
      m = (n * m + other_n * other_m) / both;
      n = both;
    }
  }
  if (lane == 0) {
    mean[row] = m;
    rstd[row] = rsqrtf(m2 / n + eps);
  }
// END: statistics
