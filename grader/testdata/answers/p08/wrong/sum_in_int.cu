// ENTRY: kernel
// CLASS: precision
// CAUSE: The sum for the mean is kept in an int.
// SAYS: int\b
// SAYS: sum|total|mean
// NEVER: \brace\b|barrier|fp16|bf16
// HELD: no
  // FILL ME IN: statistics (roughly 8 lines)
  int sum = 0;
  for (int c = 0; c < columns; ++c) sum += x_row[c];
  row_mean = static_cast<float>(sum) / columns;
  float squares = 0.0f;
  for (int c = 0; c < columns; ++c) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics
