// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps is added to the standard deviation, outside the root.
// SAYS: \beps
// SAYS: outside|behind|after|beside|root|sqrt
// NEVER: (exactly this|divided by).*N ?- ?1|without (gamma|beta)
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = 1.0f / (sqrtf(q / columns) + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
