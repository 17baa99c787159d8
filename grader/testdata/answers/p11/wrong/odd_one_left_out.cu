// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop takes two values a round and leaves the last one of a lane with an odd number of them out.
// SAYS: left over|rest|odd|tail
// NEVER: \brace\b
// NEVER: out.of.bounds
// HELD: no
  // FILL ME IN: add_value (roughly 4 lines)
  const float n = m.count + 1.0f, d = value - m.mean, moved = m.mean + d / n;
  m.squares += d * (value - moved);
  m.mean = moved;
  m.count = n;
  // END: add_value
  // FILL ME IN: merge (roughly 6 lines)
  if (b.count == 0.0f) return a;
  if (a.count == 0.0f) return b;
  const float n = a.count + b.count, d = b.mean - a.mean, part = b.count / n;
  a.squares += b.squares + d * d * a.count * part;
  a.mean += d * part;
  a.count = n;
  // END: merge
  // FILL ME IN: statistics (roughly 12 lines)
  // Two independent chains of divisions: the one does not wait for the other.
  Moments even, odd;
  for (int c = lane; c + kWarp < columns; c += 2 * kWarp) {
    const float first = x_row[c], second = x_row[c + kWarp];
    even = with_value(even, first);
    odd = with_value(odd, second);
  }
  Moments m = merged(even, odd);
  for (int d = 1; d < kWarp; d *= 2) {
    Moments other;
    other.count = warp.shfl_xor(m.count, d);
    other.mean = warp.shfl_xor(m.mean, d);
    other.squares = warp.shfl_xor(m.squares, d);
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) / columns + eps);
  if (lane == 0) mean[row] = row_mean;
  if (lane == 1) rstd[row] = row_rstd;
  // END: statistics
