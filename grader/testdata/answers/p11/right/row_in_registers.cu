// STYLE: up to 1024 columns kept, two passes over registers
// FILL ME IN: statistics (roughly 12 lines)

  float sum = 0.0f, kept[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    kept[i] = lane + kWarp * i < columns ? x_row[lane + kWarp * i] : 0.0f;
    sum += kept[i];
  }
  for (int c = lane + 1024; c < columns; c += kWarp) sum += x_row[c];
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_xor(sum, d);
  row_mean = sum / columns;
  sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    if (lane + kWarp * i < columns) sum += (kept[i] - row_mean) * (kept[i] - row_mean);
  for (int c = lane + 1024; c < columns; c += kWarp) sum += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_xor(sum, d);
  row_rstd = rsqrtf(sum / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
