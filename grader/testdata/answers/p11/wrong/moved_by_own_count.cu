// ENTRY: kernel
// CLASS: scaling
// CAUSE: merged() moves the mean by a's share of the values and not by b's.
// SAYS: b\.count|count of (the other|b)
// NEVER: \brace\b
// NEVER: epsilon|\beps\b
// HELD: no
  // FILL ME IN: add_value (roughly 4 lines)
  m.count += 1.0f;
  const float before = value - m.mean;
  m.mean += before / m.count;
  m.squares = fmaf(before, value - m.mean, m.squares);
  // END: add_value
  // FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count > 0.0f) {
    const float delta = b.mean - a.mean;
    a.squares += b.squares + delta * delta * a.count * b.count / count;
    a.mean += delta * a.count / count;
    a.count = count;
  }
  // END: merge
  // FILL ME IN: statistics (roughly 12 lines)
  Moments m;
  for (int c = lane; c < columns; c += kWarp) m = with_value(m, x_row[c]);
#pragma unroll
  for (int d = kWarp / 2; d > 0; d /= 2) {
    Moments other;
    other.count = warp.shfl_down(m.count, d);
    other.mean = warp.shfl_down(m.mean, d);
    other.squares = warp.shfl_down(m.squares, d);
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
