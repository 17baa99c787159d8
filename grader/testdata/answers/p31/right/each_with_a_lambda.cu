// STYLE: one generic lambda walks the pieces for all three blanks; x - mean is kept without rstd, which is applied to the sums and as its square behind
  // FILL ME IN: load_row (roughly 8 lines)
  const auto each = [&](auto&& body) {
#pragma unroll
    for (int i = 0; i < kShare; ++i) body(i, thread + i * kGroup);
  };
  each([&](int i, int p) {
    const bool there = p < pieces;
    from_dy[i] = there ? dy_row[p] * gamma[p] : Piece{};
    from_x[i] = there ? x_row[p] - row_mean : Piece{};
  });
  // END: load_row
  // FILL ME IN: means (roughly 9 lines)
  float2 parts = make_float2(0.0f, 0.0f);
  each([&](int i, int) {
    parts.x += total(from_dy[i]);
    parts.y += total(from_x[i] * from_dy[i]);
  });
  parts = group_sums<kGroup>(parts, partial);
  first_mean = parts.x / static_cast<float>(columns);
  second_mean = parts.y / static_cast<float>(columns) * (row_rstd * row_rstd);
  // END: means
  // FILL ME IN: store_row (roughly 5 lines)
  each([&](int i, int p) {
    if (p >= pieces) return;
    dx_row[p] = (from_dy[i] - first_mean - from_x[i] * second_mean) * row_rstd;
  });
  // END: store_row
