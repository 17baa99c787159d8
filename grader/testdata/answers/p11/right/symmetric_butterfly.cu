// STYLE: a butterfly of exchanges: every lane ends with the whole
// FILL ME IN: merge (roughly 6 lines)

  const float n = a.count + b.count;
  if (n > 0.0f) {
    const float d = a.mean - b.mean;
    a.squares = a.squares + b.squares + d * d * (a.count * b.count) / n;
    a.mean = (a.count * a.mean + b.count * b.mean) / n;
    a.count = n;
  }
// END: merge
// FILL ME IN: statistics (roughly 12 lines)

  Moments m;
  for (int c = lane; c < columns; c += kWarp) m = with_value(m, x_row[c]);
#pragma unroll
  for (int d = 1; d < kWarp; d <<= 1) {
    Moments o;
    o.count = __shfl_xor_sync(~0u, m.count, d);
    o.mean = __shfl_xor_sync(~0u, m.mean, d);
    o.squares = __shfl_xor_sync(~0u, m.squares, d);
    m = merged(m, o);
  }
  row_mean = m.mean;
  row_rstd = 1.0f / sqrtf(m.squares / m.count + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
