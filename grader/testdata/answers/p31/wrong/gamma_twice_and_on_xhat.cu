// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Two mistakes in two blanks: gamma is multiplied to xhat instead of dy, and once more to the result.
// SAYS: load_row.*gamma
// SAYS: store_row.*gamma
// NEVER: \brace\b
// HELD: no
// FILL ME IN: load_row (answer)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    // gamma stands between xhat and y. What comes back from y has passed it when it arrives at xhat, and the
    // means are means of what arrives there.
    from_dy[i] = p < pieces ? dy_row[p] : Piece{};
    from_x[i] = p < pieces ? (x_row[p] - row_mean) * row_rstd * gamma[p] : Piece{};
  }
// END: load_row
// FILL ME IN: store_row (answer)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) dx_row[p] = (from_dy[i] - first_mean - from_x[i] * second_mean) * row_rstd * gamma[p];
  }
// END: store_row
