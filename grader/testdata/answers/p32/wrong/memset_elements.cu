// ENTRY: atomics
// CLASS: allocation
// CAUSE: CudaMemset of `columns` bytes, not of as many floats.
// SAYS: cudaMemset|bytes|elements
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: launch_atomics (roughly 4 lines)
  cudaMemset(dgamma, 0, columns);
  cudaMemset(dbeta, 0, columns);
  atomics_kernel<<<grid, block>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns, strip_rows);
  // END: launch_atomics
