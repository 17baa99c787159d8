// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has a warp for each row where the kernel takes a block: of 16 rows one is done.
// SAYS: rows?|grid|block|launch|written
// SAYS: rows?|block|grid|16|written|launch
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: launch (roughly 1 line)
  layernorm_kernel<<<(rows + kWarps - 1) / kWarps, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
// END: launch
