// ENTRY: kernel
// CLASS: index
// CAUSE: A thread keeps neighbouring pieces while it stores pieces kGroup apart: what is stored belongs to other columns.
// SAYS: piece|column|element|index|order|load_row|row
// NEVER: \brace\b|without gamma
// HELD: no
// FILL ME IN: load_row (roughly 8 lines)
  for (int i = 0; i < kShare; ++i) {
    const int p = thread * kShare + i;
    from_dy[i] = p < pieces ? dy_row[p] * gamma[p] : Piece{};
    from_x[i] = p < pieces ? (x_row[p] - row_mean) * row_rstd : Piece{};
  }
// END: load_row
