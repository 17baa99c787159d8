// STYLE: sums around the first value of the row: one pass over registers
// FILL ME IN: statistics (roughly 18 lines)

  // Around the first value of the row: sums of distances and of their squares, one pass over registers.
  const float shift = reinterpret_cast<const float*>(x_row)[0];
  float s = 0.0f, q = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) {
      s += total(kept[i]) - shift * (sizeof(Piece) / sizeof(float));
      q += squares(kept[i], shift);
    }
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) {
    const Piece v = x_row[p];
    s += total(v) - shift * (sizeof(Piece) / sizeof(float));
    q += squares(v, shift);
  }
  s = group_sum<kGroup>(s, partial[0]) / columns;
  q = group_sum<kGroup>(q, partial[1]) / columns;
  row_mean = shift + s;
  row_rstd = rsqrtf(q - s * s + eps);
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
