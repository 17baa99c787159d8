// STYLE: Welford's recurrence in each lane, Chan's merge over the warp
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const bool there = first_row + y < rows;
    float n = 0.0f, mean = 0.0f, m2 = 0.0f;
    for (int h = threadIdx.x; there && h < hidden; h += 32) {
      n += 1.0f;
      const float d = x_row[h] - mean;
      mean += d / n;
      m2 += d * (x_row[h] - mean);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      const float other_n = __shfl_xor_sync(0xffffffffu, n, offset), other_m2 = __shfl_xor_sync(0xffffffffu, m2, offset);
      const float d = __shfl_xor_sync(0xffffffffu, mean, offset) - mean, both = n + other_n;
      if (both > 0.0f) {
        mean += d * other_n / both;
        m2 += other_m2 + d * d * n * other_n / both;
        n = both;
      }
    }
    // The lanes' sums differ by their rounding: the first one's is everybody's.
    mean = __shfl_sync(0xffffffffu, mean, 0);
    const float rstd = rsqrtf(__shfl_sync(0xffffffffu, m2, 0) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = there && h < hidden ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
