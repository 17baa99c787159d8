// ENTRY: kernel
// CLASS: tail
// CAUSE: What a row has beyond the share is in no sum and is never written.
// SAYS: statistics|store_row|\bout\b|\bmean\b|row
// SAYS: rest|longer|beyond|written|column|share|left out|tail|mean|piece
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 18 lines)
  // Kept pieces, and then what a longer row has beyond them: seldom any, so that to unroll those loops would
  // only cost registers.
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
  row_mean = group_sum<kGroup>(sum, partial[0]) / columns;
  // A second pass, over registers: it costs no traffic. A padded zero would add mean^2 here.
  float around = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) around += squares(kept[i], row_mean);
  row_rstd = rsqrtf(group_sum<kGroup>(around, partial[1]) / columns + eps);
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
// FILL ME IN: store_row (roughly 9 lines)

#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) out_row[p] = normalized(kept[i], row_mean, row_rstd, gamma[p], beta[p]);
  }
// END: store_row
