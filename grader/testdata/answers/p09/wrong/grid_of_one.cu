// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: rstd_kernel is launched with one block: only row 0 gets its rstd.
// SAYS: \brstd\b
// SAYS: only row 0|other rows|rows (from )?1|one block|1 block|block|grid|only (the )?(first|one)
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|\brace\b
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<1, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
