// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: All lanes make as many rounds: in the last one some read beyond the row.
// SAYS: out.of.bounds|past (the|its) end|beyond|outside|past the
// SAYS: \bx\b|row|column
// NEVER: \brace\b
// HELD: no
// FILL ME IN: statistics (roughly 12 lines)
  Moments m;
  for (int c = lane; c - lane < columns; c += kWarp) m = with_value(m, x_row[c]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const Moments other{warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance),
                        warp.shfl_down(m.squares, distance)};
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
