// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Two launches: the first does everything, the second does it again because the author wanted the statistics first.
// SAYS: launch
// SAYS: 2|two|twice|again|more|launch
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: no
// FILL ME IN: launch (roughly 1 line)
  for (int i = 0; i < 2; ++i)
    layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
// END: launch
