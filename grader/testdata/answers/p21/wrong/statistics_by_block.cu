// ENTRY: kernel
// CLASS: index
// CAUSE: The epilogue reads mean and rstd by the row in the tile, not by the row of x.
// SAYS: mean|rstd|row|statistics|epilogue
// HELD: yes
  // FILL ME IN: epilogue (roughly 9 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    if (row >= rows) break;
    const float mean_of_row = mean[row - first_row], rstd_of_row = rstd[row - first_row];
    for (int j = 0; j < kEach; ++j) {
      const int o = first_o + across + kAcross * j;
      if (o < out_dim)
        out[static_cast<size_t>(row) * out_dim + o] =
            rstd_of_row * (sum[i][j] - mean_of_row * row_sum[o]) + shift[o];
    }
  }
  // END: epilogue
