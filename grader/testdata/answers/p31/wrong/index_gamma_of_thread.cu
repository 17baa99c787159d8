// ENTRY: kernel
// CLASS: index
// CAUSE: gamma is indexed with the thread's number, not with the piece's: all of a thread's pieces take the gamma of its first one.
// SAYS: gamma
// NEVER: \brace\b|uncoalesced
// HELD: yes
// FILL ME IN: load_row (roughly 8 lines)
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) {
      from_dy[i] = dy_row[p] * gamma[thread];
      from_x[i] = (x_row[p] - row_mean) * row_rstd;
    } else {
      from_dy[i] = from_x[i] = Piece{};
    }
  }
// END: load_row
