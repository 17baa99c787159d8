// STYLE: the bracket multiplied out; row_sum and shift fetched once into registers
// FILL ME IN: epilogue
  float s[kEach], t[kEach];
  for (int j = 0; j < kEach; ++j) {
    const int o = min(first_o + across + kAcross * j, out_dim - 1);
    s[j] = row_sum[o];
    t[j] = shift[o];
  }
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    if (row >= rows) continue;
    const float a = rstd[row], b = -a * mean[row];
    float* to = out + static_cast<size_t>(row) * out_dim + first_o + across;
    for (int j = 0; j < kEach; ++j)
      if (first_o + across + kAcross * j < out_dim) to[kAcross * j] = fmaf(a, sum[i][j], fmaf(b, s[j], t[j]));
  }
// END: epilogue
