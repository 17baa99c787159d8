// STYLE: shuffles down, then what lane 0 has for all
// FILL ME IN: statistics (roughly 10 lines)

  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += x_row[c];
  for (int d = 16; d >= 1; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
  row_mean = __shfl_sync(0xffffffffu, sum, 0) / columns;
  for (int c = lane; c < columns; c += 32) {
    const float off = x_row[c] - row_mean;
    squares = fmaf(off, off, squares);
  }
  for (int d = 16; d >= 1; d >>= 1) squares += __shfl_down_sync(0xffffffffu, squares, d);
  row_rstd = 1.0f / sqrtf(__shfl_sync(0xffffffffu, squares, 0) / columns + eps);
  if (!lane) mean[row] = row_mean, rstd[row] = row_rstd;
// END: statistics
