// STYLE: once the mean is known the kept pieces that are no part of the row are set to it, so that the squares need no check; the last thread of the group stores
  // FILL ME IN: load_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    kept[i] = Piece{};
    if (thread + i * kGroup < pieces) kept[i] = x_row[thread + i * kGroup];
  }
  // END: load_row
  // FILL ME IN: statistics (roughly 18 lines)
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) sum += total(x_row[p]);
  row_mean = group_sum<kGroup>(sum, partial[0]) / columns;

  Piece filler;
  if constexpr (sizeof(Piece) == sizeof(float))
    filler = row_mean;
  else
    filler = make_float4(row_mean, row_mean, row_mean, row_mean);
  float around = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    if (thread + i * kGroup >= pieces) kept[i] = filler;
    around += squares(kept[i], row_mean);
  }
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) around += squares(x_row[p], row_mean);
  row_rstd = rsqrtf(group_sum<kGroup>(around, partial[1]) / columns + eps);

  if (thread == kGroup - 1) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
