// STYLE: Welford's recurrence, one pass for the statistics
// FILL ME IN: statistics (roughly 8 lines)
  float m2 = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float delta = x_row[c] - row_mean;
    row_mean += delta / (c + 1);
    m2 += delta * (x_row[c] - row_mean);
  }
  row_rstd = rsqrtf(m2 / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
