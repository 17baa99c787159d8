// ENTRY: kernel
// CLASS: index
// CAUSE: gamma and beta are indexed by the row; they belong to the column.
// SAYS: \bgamma\b|\bbeta\b
// SAYS: \brows?\b|index|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the
// NEVER: without (gamma|beta)|\brace\b
// HELD: no
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[row] + beta[row];
// END: normalize
