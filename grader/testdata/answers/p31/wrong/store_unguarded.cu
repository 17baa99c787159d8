// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Pieces past the end of the row are stored.
// SAYS: past|end|outside|behind|beyond|bound
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread + i * kGroup;
    dx_row[piece] = (from_dy[i] - first_mean - from_x[i] * second_mean) * row_rstd;
  }
  // END: store_row
