// ENTRY: kernel
// CLASS: scaling
// CAUSE: + xhat mean(g xhat) in place of -.
// SAYS: subtract|added|sign|second|last term
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread + i * kGroup;
    if (piece < pieces) dx_row[piece] = (from_dy[i] - first_mean - from_x[i] * (-second_mean)) * row_rstd;
  }
  // END: store_row
