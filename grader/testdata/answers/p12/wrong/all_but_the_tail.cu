// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop of the answer stops at the last whole round of the block: the end of each row is never written.
// SAYS: \bout\b|never written|unwritten|column
// SAYS: tail|last|column|written|end|whole|512|multiple
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: normalize (roughly 2 lines)
  for (int c = threadIdx.x; c < columns / kThreads * kThreads; c += kThreads)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[c] + beta[c]);
// END: normalize
