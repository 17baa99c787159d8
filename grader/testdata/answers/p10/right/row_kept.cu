// STYLE: the first 1024 columns stay in registers
// FILL ME IN: statistics (roughly 10 lines)

  float kept[32];
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    kept[i] = lane + 32 * i < columns ? x_row[lane + 32 * i] : 0.0f;
    sum += kept[i];
  }
  for (int c = lane + 1024; c < columns; c += 32) sum += x_row[c];
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    if (lane + 32 * i < columns) squares += (kept[i] - row_mean) * (kept[i] - row_mean);
  for (int c = lane + 1024; c < columns; c += 32) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
// FILL ME IN: normalize (roughly 2 lines)

#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int c = lane + 32 * i;
    if (c < columns) out_row[c] = (kept[i] - row_mean) * row_rstd * gamma[c] + beta[c];
  }
  for (int c = lane + 1024; c < columns; c += 32) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
// END: normalize
