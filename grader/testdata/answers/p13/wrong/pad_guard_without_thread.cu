// ENTRY: kernel
// CLASS: tail
// CAUSE: In the squares the check whether a kept piece is part of the row leaves the thread out (i * kGroup < pieces, not thread + i * kGroup < pieces), so the zeros that pad the last round add mean^2 each.
// SAYS: \bpad|zeros?\b|mean\^2|mean squared|squared mean|thread \+|past the end|not (in|part of) the row|squares|no such piece
  // FILL ME IN: statistics (roughly 18 lines)
  {
    float mine = 0.0f;
#pragma unroll
    for (int i = 0; i < kShare; ++i) mine += total(kept[i]);
#pragma unroll 1
    for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) mine += total(x_row[p]);
    row_mean = group_sum<kGroup>(mine, partial[0]) / columns;
  }
  {
    float mine = 0.0f;
#pragma unroll
    for (int i = 0; i < kShare; ++i)
      if (i * kGroup < pieces) mine += squares(kept[i], row_mean);
#pragma unroll 1
    for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) mine += squares(x_row[p], row_mean);
    row_rstd = rsqrtf(group_sum<kGroup>(mine, partial[1]) / columns + eps);
  }
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
