// STYLE: all sums of the first two kernels in double, by one lane each
// FILL ME IN: fold
  double of_gamma = 0.0, of_beta = bias[o];
  for (int h = lane; h < hidden; h += 32) folded_row[h] = gamma[h] * weight_row[h];
  __syncwarp();
  double s = 0.0, b = 0.0;
  for (int h = lane; h < hidden; h += 32) {
    s += folded_row[h];
    b += double(beta[h]) * weight_row[h];
  }
  for (int d = 16; d > 0; d /= 2) {
    s += __shfl_down_sync(~0u, s, d);
    b += __shfl_down_sync(~0u, b, d);
  }
  of_gamma += s;
  of_beta += b;
  if (lane == 0) row_sum[o] = of_gamma, shift[o] = of_beta;
// END: fold
// FILL ME IN: statistics
  double s = 0.0, q = 0.0;
  for (int h = lane; h < hidden; h += 32) {
    s += x_row[h];
    q += double(x_row[h]) * x_row[h];
  }
  for (int d = 16; d > 0; d /= 2) {
    s += __shfl_down_sync(~0u, s, d);
    q += __shfl_down_sync(~0u, q, d);
  }
  if (lane == 0) {
    const double m = s / hidden;
    mean[row] = m;
    rstd[row] = 1.0 / sqrt(q / hidden - m * m + eps);
  }
// END: statistics
