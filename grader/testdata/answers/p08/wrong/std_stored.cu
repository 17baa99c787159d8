// ENTRY: kernel
// CLASS: scaling
// CAUSE: What is stored in `rstd` is the standard deviation; its reciprocal is asked for. out itself is right.
// SAYS: \brstd\b
// SAYS: reciprocal|inverse|standard deviation|\b1 ?/|inverted|sqrt
// NEVER: out (is|are) wrong|eps (is )?(missing|outside)
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  const float deviation = sqrtf(q / columns + eps);
  row_rstd = 1.0f / deviation;
  mean[row] = row_mean;
  rstd[row] = deviation;
// END: statistics
