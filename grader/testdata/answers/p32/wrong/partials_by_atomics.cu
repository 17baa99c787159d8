// ENTRY: partials
// CLASS: over-budget
// CAUSE: The second entry adds with atomics, which it is to do without.
// SAYS: atomic
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced|\brace\b
// HELD: yes
// FILL ME IN: launches (roughly 4 lines)
  cudaMemset(dgamma, 0, sizeof(float) * columns);
  cudaMemset(dbeta, 0, sizeof(float) * columns);
  atomics_kernel<<<grid, block>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns, strip_rows);
// END: launches
// FILL ME IN: add (roughly 4 lines)
  if (threadIdx.y == 0 && column < columns) {
    atomicAdd(dgamma + column, sums.x);
    atomicAdd(dbeta + column, sums.y);
  }
// END: add
