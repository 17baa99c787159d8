// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: rows / 4 blocks, plus none for what is left over: the last rows are not done, and fewer than four rows make an empty grid.
// SAYS: grid|block|launch|rows?
// SAYS: rows?|grid|0|last|configuration
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: launch (roughly 2 lines)
  layernorm_kernel<<<rows / kRowsPerBlock, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
// END: launch
