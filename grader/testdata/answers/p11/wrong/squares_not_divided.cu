// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum of squares is used as the variance: it is not divided by the number of columns.
// SAYS: variance|squares|rstd
// SAYS: divid|columns|\bN\b|times|factor|sum|scal
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 12 lines)
  Moments m;
  for (int c = lane; c < columns; c += kWarp) m = with_value(m, x_row[c]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const Moments other{warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance),
                        warp.shfl_down(m.squares, distance)};
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
