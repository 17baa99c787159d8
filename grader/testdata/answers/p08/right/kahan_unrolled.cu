// STYLE: compensated sum, loops unrolled by hand with a tail
// FILL ME IN: statistics (roughly 8 lines)
  float s = 0.0f, lost = 0.0f;
  int c = 0;
  for (; c + 2 <= columns; c += 2) {
    const float y = (x_row[c] + x_row[c + 1]) - lost, t = s + y;
    lost = (t - s) - y;
    s = t;
  }
  if (c < columns) s += x_row[c] - lost;
  row_mean = s / static_cast<float>(columns);
  float q0 = 0.0f, q1 = 0.0f;
  for (c = 0; c + 1 < columns; c += 2) {
    const float a = x_row[c] - row_mean, b = x_row[c + 1] - row_mean;
    q0 = __fmaf_rn(a, a, q0);
    q1 = __fmaf_rn(b, b, q1);
  }
  if (columns & 1) q0 += (x_row[columns - 1] - row_mean) * (x_row[columns - 1] - row_mean);
  *(rstd + row) = row_rstd = __frsqrt_rn((q0 + q1) / columns + eps);
  *(mean + row) = row_mean;
// END: statistics
