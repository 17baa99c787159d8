// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The mean is that of |x|.
// SAYS: mean|statistics
// SAYS: magnitude|absolute|\|`?x`?\||sign|sum
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: statistics (roughly 4 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += fabsf(x_row[c]);
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
