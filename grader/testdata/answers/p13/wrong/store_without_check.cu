// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: store_row has no check: it stores past the end of the row.
// SAYS: out.of.bounds|past (the|its) end|beyond|outside|past the|race|two|twice
// SAYS: \bout\b|gamma|beta|row|piece
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    out_row[p] = normalized(kept[i], row_mean, row_rstd, gamma[p], beta[p]);
  }
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup)
    out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
// END: store_row
