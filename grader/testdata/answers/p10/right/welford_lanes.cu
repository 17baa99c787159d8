// STYLE: Welford in each lane, merged: one reading for both statistics
// FILL ME IN: statistics (roughly 10 lines)

  float n = 0.0f, m2 = 0.0f;
  for (int c = lane; c < columns; c += kWarp) {
    n += 1.0f;
    const float d = x_row[c] - row_mean;
    row_mean += d / n;
    m2 += d * (x_row[c] - row_mean);
  }
  for (int step = 1; step < kWarp; step *= 2) {
    const float on = warp.shfl_xor(n, step), om = warp.shfl_xor(row_mean, step), o2 = warp.shfl_xor(m2, step);
    const float all = n + on, d = om - row_mean;
    if (all > 0.0f) {
      m2 += o2 + d * d * n * on / all;
      row_mean = (n * row_mean + on * om) / all;
    }
    n = all;
  }
  row_rstd = rsqrtf(m2 / columns + eps);
  if (warp.thread_rank() == 0) mean[row] = row_mean;
  if (warp.thread_rank() == 1) rstd[row] = row_rstd;
// END: statistics
