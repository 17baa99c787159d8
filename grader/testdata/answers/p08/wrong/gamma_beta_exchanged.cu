// ENTRY: kernel
// CLASS: index
// CAUSE: gamma and beta have changed places: beta scales and gamma shifts.
// SAYS: \bgamma\b
// SAYS: \bbeta\b
// NEVER: without (gamma|beta)|(gamma|beta) (is )?missing
// HELD: yes
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = fmaf((x_row[c] - row_mean) * row_rstd, beta[c], gamma[c]);
// END: normalize
