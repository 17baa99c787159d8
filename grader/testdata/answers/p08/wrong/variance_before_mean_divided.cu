// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The squares are taken around the sum of the row: it is divided by N only afterwards.
// SAYS: not divided|sum
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: statistics (roughly 8 lines)
  float total = 0.0f, squares = 0.0f;
  for (int c = 0; c < columns; ++c) total += x_row[c];
  for (int c = 0; c < columns; ++c) squares += (x_row[c] - total) * (x_row[c] - total);
  row_mean = total / columns;
  row_rstd = rsqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
  // END: normalize
