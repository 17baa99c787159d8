// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The difference is the wrong way round, mean^2 - E[x^2]: the root of a negative number is NaN.
// SAYS: NaN|negative
// SAYS: root|sqrt|variance|negative
// NEVER: never (been )?written|uninitiali|overflows
// HELD: yes
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) {
    s += x_row[c];
    q += x_row[c] * x_row[c];
  }
  row_mean = s / columns;
  row_rstd = 1.0f / sqrtf(row_mean * row_mean - q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
