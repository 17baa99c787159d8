// ENTRY: kernel
// CLASS: index
// CAUSE: mean and rstd are indexed by the column; there is one of them for each row.
// SAYS: \bmean\b|\brstd\b
// SAYS: (by|of) (the )?column|index|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|each row|per row|mean\[c\]|instead of (the )?row
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|without (gamma|beta)|\brace\b
// HELD: yes
// FILL ME IN: normalize (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = (x_row[c] - mean[c]) * rstd[c] * gamma[c] + beta[c];
// END: normalize
