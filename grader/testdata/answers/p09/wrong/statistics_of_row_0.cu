// ENTRY: kernel
// CLASS: index
// CAUSE: `normalize` uses the mean and rstd of row 0 for every row.
// SAYS: \bmean\b|\brstd\b|statistics
// SAYS: row 0.s|of row 0|first row|\[0\]|same row|another row|other row|every row
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|without (gamma|beta)|\brace\b
// HELD: no
// FILL ME IN: normalize (roughly 3 lines)
  const float m = *mean, s = *rstd;
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
// END: normalize
