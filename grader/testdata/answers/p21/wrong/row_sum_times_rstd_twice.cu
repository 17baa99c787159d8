// ENTRY: kernel
// CLASS: scaling
// CAUSE: rstd is applied inside the bracket to the product and outside to all: the product has it twice.
// SAYS: rstd|product|epilogue
// HELD: yes
  // FILL ME IN: epilogue (roughly 9 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    if (row >= rows) break;
    const float mean_of_row = mean[row], rstd_of_row = rstd[row];
    for (int j = 0; j < kEach; ++j) {
      const int o = first_o + across + kAcross * j;
      if (o < out_dim)
        out[static_cast<size_t>(row) * out_dim + o] =
            rstd_of_row * (rstd_of_row * sum[i][j] - mean_of_row * row_sum[o]) + shift[o];
    }
  }
  // END: epilogue
