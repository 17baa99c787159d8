// ENTRY: kernel
// CLASS: index
// CAUSE: gamma and beta are taken from the thread's first piece for all of its pieces.
// SAYS: gamma|beta
// SAYS: column|piece|thread|index|first|same|32|store_row
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) out_row[p] = normalized(kept[i], row_mean, row_rstd, gamma[thread], beta[thread]);
  }
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup)
    out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[thread], beta[thread]);
// END: store_row
