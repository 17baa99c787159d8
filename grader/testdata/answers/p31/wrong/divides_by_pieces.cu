// ENTRY: kernel
// CLASS: scaling
// CAUSE: Both means divide by pieces, a quarter of the columns where float4 are used.
// SAYS: means?
// SAYS: quarter|4|pieces
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: load_row (roughly 8 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread + i * kGroup;
    from_dy[i] = from_x[i] = Piece{};
    if (piece < pieces) {
      from_dy[i] = dy_row[piece] * gamma[piece];
      from_x[i] = (x_row[piece] - row_mean) * row_rstd;
    }
  }
  // END: load_row
  // FILL ME IN: means (roughly 9 lines)
  float a = 0.0f, b = 0.0f;
#pragma unroll
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
    const int piece = thread + i * kGroup;
    if (piece < pieces) dx_row[piece] = (from_dy[i] - first_mean - from_x[i] * second_mean) * row_rstd;
  }
  // END: store_row
