// ENTRY: kernel
// CLASS: host-only
// CAUSE: cudaMemset sets bytes: 1 in every byte of a float is 2.4e-38, not 1.0. And rstd is never computed.
// SAYS: memset|bytes?\b|2\.3\d*e-38|0x01|\brstd\b.*(never|not) (computed|launched|written by)|rstd_kernel
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|\brace\b
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  cudaMemset(rstd, 1, rows * sizeof(float));
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
