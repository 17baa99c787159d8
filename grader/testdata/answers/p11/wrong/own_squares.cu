// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The mean is taken from lane 0 and the squares are each lane's own: only lane 0 has the row's.
// SAYS: variance|squares|rstd|\bout\b
// SAYS: lane|own|broadcast|lane 0|partial|column|shfl|statistics|differ|multiple|times
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: statistics (roughly 12 lines)
  Moments m;
  for (int c = lane; c < columns; c += kWarp) m = with_value(m, x_row[c]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const Moments other{warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance),
                        warp.shfl_down(m.squares, distance)};
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
