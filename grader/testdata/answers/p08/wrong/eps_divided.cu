// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps is added to the sum before the division: (squares + eps) / N, so that only eps / N reaches the root.
// SAYS: \beps|rstd
// SAYS: divi|eps ?/|too small|before|factor|\bN\b|columns
// NEVER: without (gamma|beta)|never (been )?written
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf((q + eps) / columns);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
