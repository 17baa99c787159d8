// STYLE: E[x^2] - mean^2, in double
// FILL ME IN: statistics (roughly 12 lines)

  double s = 0.0, q = 0.0;
  for (int c = lane; c < columns; c += kWarp) {
    const double v = x_row[c];
    s += v;
    q += v * v;
  }
  for (int d = 16; d > 0; d /= 2) {
    s += warp.shfl_xor(s, d);
    q += warp.shfl_xor(q, d);
  }
  s /= columns;
  row_mean = static_cast<float>(s);
  row_rstd = static_cast<float>(rsqrt(q / columns - s * s + eps));
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
