// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The answer is computed from x_row, not from what is kept: x is read twice.
// SAYS: \bx\b
// SAYS: 2|two|twice|times|again|once|read
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: yes
// FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
  }
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup)
    out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
// END: store_row
