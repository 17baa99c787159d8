// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The squares are not taken around the mean, but the mean is subtracted later: the variance is E[x^2].
// SAYS: mean
// SAYS: not subtracted|subtract|centred|around|square
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: statistics (roughly 4 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) {
    s += x_row[c];
    q += x_row[c] * x_row[c];
  }
  row_mean = s / columns;
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
