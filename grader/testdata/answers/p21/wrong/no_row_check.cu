// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Rows past the end are stored (and their mean read).
// SAYS: past|end|beyond|reaches|index|outside
// NEVER: counted in elements|multiply the number
// HELD: no
  // FILL ME IN: epilogue (roughly 9 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    const float mu = mean[row], r = rstd[row];
    for (int j = 0; j < kEach; ++j) {
      const int o = first_o + across + kAcross * j;
      if (o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = r * (sum[i][j] - mu * row_sum[o]) + shift[o];
    }
  }
  // END: epilogue
