// STYLE: values taken in pairs of columns, merged as parts of two
// FILL ME IN: statistics (roughly 12 lines)

  Moments m;
  for (int c = lane; c < columns; c += 2 * kWarp) {
    Moments pair;
    pair = with_value(pair, x_row[c]);
    if (c + kWarp < columns) pair = with_value(pair, x_row[c + kWarp]);
    m = merged(m, pair);
  }
  for (int distance = 1; distance < kWarp; distance *= 2)
    m = merged(m, Moments{warp.shfl_xor(m.count, distance), warp.shfl_xor(m.mean, distance), warp.shfl_xor(m.squares, distance)});
  row_mean = warp.shfl(m.mean, 7);
  row_rstd = rsqrtf(warp.shfl(m.squares, 7) / columns + eps);
  if (lane == 7) mean[row] = row_mean;
  if (lane == 8) rstd[row] = row_rstd;
// END: statistics
