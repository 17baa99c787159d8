// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The part of beta in shift is that of lane 0 alone, it is not summed over the warp.
// SAYS: shift
// SAYS: lane|not added up|warp|sum
// NEVER: \brace\b
// HELD: no
  // FILL ME IN: fold (roughly 13 lines)
  float of_gamma = 0.0f, of_beta = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h], f = gamma[h] * w;
    folded_row[h] = f;
    of_gamma += f;
    of_beta += beta[h] * w;
  }
  of_gamma = warp_sum(of_gamma);
  if (lane == 0) {
    row_sum[o] = of_gamma;
    shift[o] = bias[o] + of_beta;
  }
  // END: fold
  // FILL ME IN: statistics (roughly 12 lines)
  float sum = 0.0f, squares = 0.0f;
  for (int h = lane; h < hidden; h += 32) sum += x_row[h];
  const float m = warp_sum(sum) / hidden;
  for (int h = lane; h < hidden; h += 32) squares += (x_row[h] - m) * (x_row[h] - m);
  squares = warp_sum(squares);
  if (lane == 0) {
    mean[row] = m;
    rstd[row] = rsqrtf(squares / hidden + eps);
  }
  // END: statistics
  // FILL ME IN: epilogue (roughly 9 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    if (row >= rows) break;
    for (int j = 0; j < kEach; ++j) {
      const int o = first_o + across + kAcross * j;
      if (o < out_dim)
        out[static_cast<size_t>(row) * out_dim + o] = rstd[row] * (sum[i][j] - mean[row] * row_sum[o]) + shift[o];
    }
  }
  // END: epilogue
