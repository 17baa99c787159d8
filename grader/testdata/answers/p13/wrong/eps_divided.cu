// ENTRY: kernel
// CLASS: scaling
// CAUSE: eps is added before the division by N.
// SAYS: eps
// SAYS: N\b|divid
// NEVER: \brace\b|barrier|tail
// HELD: yes
  // FILL ME IN: statistics (roughly 13 lines)
  float sum = 0.0f;
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
  for (int p = thread + kGroup * kShare; p < pieces; p += kGroup) sum += total(x_row[p]);
  row_mean = group_sum<kGroup>(sum, partial[0]) / columns;
  float around = 0.0f;
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) around += squares(kept[i], row_mean);
  for (int p = thread + kGroup * kShare; p < pieces; p += kGroup) around += squares(x_row[p], row_mean);
  row_rstd = rsqrtf((group_sum<kGroup>(around, partial[1]) + eps) / columns);
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
