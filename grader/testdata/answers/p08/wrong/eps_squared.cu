// ENTRY: kernel
// CLASS: scaling
// CAUSE: eps * eps is added under the root, as if eps were a standard deviation.
// SAYS: \beps
// SAYS: square|\^2|eps ?\* ?eps|too small|not added|typed
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: statistics (roughly 4 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps * eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
