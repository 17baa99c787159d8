// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Multiplied by gamma + beta.
// SAYS: gamma
// SAYS: beta
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: normalize (roughly 1 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * (gamma[c] + beta[c]);
  // END: normalize
