// ENTRY: kernel
// CLASS: missing-term
// CAUSE: beta is never added.
// SAYS: \bbeta\b
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference
// NEVER: without gamma|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c != columns; ++c) out_row[c] = gamma[c] * (row_rstd * (x_row[c] - row_mean));
// END: normalize
