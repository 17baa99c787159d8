// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The mean is not subtracted from x in `normalize`.
// SAYS: \bmean\b
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|subtract|centr
// NEVER: without (gamma|beta)|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: yes
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = x_row[c] * row_rstd * gamma[c] + beta[c];
// END: normalize
