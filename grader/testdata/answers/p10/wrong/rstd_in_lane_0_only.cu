// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The sums go down by shfl_down, after which only lane 0 has the total; the mean is then handed to all lanes, the sum of the squares is not, so that the lanes from 1 on normalise with a wrong rstd.
// SAYS: lanes?\b|shfl|broadcast|shuffle|warp
  // FILL ME IN: statistics (roughly 10 lines)
  const auto add_up = [&warp](float v) {
    for (int d = kWarp / 2; d > 0; d /= 2) v += warp.shfl_down(v, d);
    return v;
  };
  float s = 0.0f;
  for (int c = lane; c < columns; c += kWarp) s += x_row[c];
  s = add_up(s);
  row_mean = warp.shfl(s, 0) / columns;

  float q = 0.0f;
  for (int c = lane; c < columns; c += kWarp) {
    const float d = x_row[c] - row_mean;
    q += d * d;
  }
  q = add_up(q);
  row_rstd = rsqrtf(q / columns + eps);

  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = lane; c < columns; c += kWarp)
    out_row[c] = fmaf((x_row[c] - row_mean) * row_rstd, gamma[c], beta[c]);
  // END: normalize
  // FILL ME IN: launch (roughly 2 lines)
  const dim3 grid((rows + kRowsPerBlock - 1) / kRowsPerBlock);
  layernorm_kernel<<<grid, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
