// ENTRY: kernel
// CLASS: pointer
// CAUSE: The launch hands beta to normalize_kernel where gamma belongs, and gamma where beta does.
// SAYS: gamma
// SAYS: beta
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: launches (roughly 4 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, beta, gamma, mean, rstd, out, columns);
// END: launches
