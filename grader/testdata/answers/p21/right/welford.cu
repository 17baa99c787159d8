// STYLE: statistics by Welford, merged by shuffles
  // FILL ME IN: statistics (roughly 12 lines)
  float mu = 0.0f, m2 = 0.0f, n = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    n += 1.0f;
    const float delta = x_row[h] - mu;
    mu += delta / n;
    m2 += delta * (x_row[h] - mu);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other_mu = __shfl_down_sync(0xffffffffu, mu, offset);
    const float other_m2 = __shfl_down_sync(0xffffffffu, m2, offset);
    const float other_n = __shfl_down_sync(0xffffffffu, n, offset);
    const float all = n + other_n;
    if (all > 0.0f) {
      const float delta = other_mu - mu;
      mu += delta * other_n / all;
      m2 += other_m2 + delta * delta * n * other_n / all;
    }
    n = all;
  }
  if (lane == 0) {
    mean[row] = mu;
    rstd[row] = 1.0f / sqrtf(m2 / n + eps);
  }
  // END: statistics
