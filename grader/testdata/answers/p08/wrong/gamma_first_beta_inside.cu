// ENTRY: kernel
// CLASS: missing-term
// CAUSE: beta is added before the multiplication by gamma: (x_hat + beta) * gamma.
// SAYS: beta
// SAYS: before|inside|gamma|order|earlier|already
// NEVER: \brace\b|without beta\b|beta (is )?missing
// HELD: no
// FILL ME IN: normalize (roughly 4 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = ((x_row[c] - row_mean) * row_rstd + beta[c]) * gamma[c];
// END: normalize
