// ENTRY: kernel
// CLASS: tail
// CAUSE: A thread takes kShare neighbouring pieces when loading, but stores them kGroup apart.
// SAYS: load_row|column|place|index
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: load_row (roughly 8 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread * kShare + i;
    from_dy[i] = piece < pieces ? dy_row[piece] * gamma[piece] : Piece{};
    from_x[i] = piece < pieces ? (x_row[piece] - row_mean) * row_rstd : Piece{};
  }
  // END: load_row
