// ENTRY: kernel
// CLASS: scaling
// CAUSE: The shift is inside the bracket, multiplied by rstd.
// SAYS: shift|rstd
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: epilogue (roughly 9 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    if (row >= rows) continue;
    const float mu = mean[row], r = rstd[row];
    for (int j = 0; j < kEach; ++j) {
      const int o = first_o + across + kAcross * j;
      if (o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = r * (sum[i][j] - mu * row_sum[o] + shift[o]);
    }
  }
  // END: epilogue
