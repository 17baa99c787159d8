// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sums are divided by the number of pieces, which is a quarter of the columns where they are float4.
// SAYS: mean
// SAYS: quarter|pieces
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: load_row (roughly 10 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    from_dy[i] = Piece{};
    from_x[i] = Piece{};
    if (p < pieces) {
      from_dy[i] = dy_row[p] * gamma[p];
      from_x[i] = (x_row[p] - row_mean) * row_rstd;
    }
  }
  // END: load_row
  // FILL ME IN: means (roughly 8 lines)
  float a = 0.0f, b = 0.0f;
  for (int i = 0; i < kShare; ++i) {
    a += total(from_dy[i]);
    b += total(from_dy[i] * from_x[i]);
  }
  const float2 sums = group_sums<kGroup>({a, b}, partial);
  first_mean = sums.x / pieces;
  second_mean = sums.y / pieces;
  // END: means
  // FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) dx_row[p] = (from_dy[i] - first_mean - from_x[i] * second_mean) * row_rstd;
  }
  // END: store_row
