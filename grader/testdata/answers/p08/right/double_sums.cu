// STYLE: sums in double, division and root in double
// FILL ME IN: statistics (roughly 8 lines)
  double s = 0.0, q = 0.0;
  for (int c = 0; c < columns; ++c) s += x_row[c];
  const double m = s / columns;
  for (int c = 0; c < columns; ++c) q += (x_row[c] - m) * (x_row[c] - m);
  row_mean = static_cast<float>(m);
  row_rstd = static_cast<float>(1.0 / sqrt(q / columns + static_cast<double>(eps)));
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
