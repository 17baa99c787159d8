// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The mean comes from a pass of its own and the squares from a second: x is read three times in all.
// SAYS: \bx\b
// SAYS: 3|three|times|again|pass|more
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: yes
// FILL ME IN: statistics (roughly 12 lines)

  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_xor(sum, d);
  row_mean = sum / columns;
  Moments m;
  for (int c = lane; c < columns; c += kWarp) m = with_value(m, x_row[c]);
  for (int distance = 16; distance > 0; distance /= 2)
    m = merged(m, {warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance), warp.shfl_down(m.squares, distance)});
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
