// ENTRY: kernel
// CLASS: missing-term
// CAUSE: A parenthesis is wrong: beta is added before gamma multiplies, so that beta is scaled by gamma too.
// SAYS: \bbeta\b|\bgamma\b
// SAYS: before|times|scal|multipl|gamma \* beta|parenthes|\bbeta\b
// NEVER: without (gamma|beta)|(gamma|beta) (is )?missing
// HELD: yes
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = ((x_row[c] - row_mean) * row_rstd + beta[c]) * gamma[c];
// END: normalize
