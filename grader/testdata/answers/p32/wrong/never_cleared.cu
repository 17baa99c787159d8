// ENTRY: atomics
// CLASS: uninitialised
// CAUSE: dgamma and dbeta are added to and nobody has put zeros there.
// SAYS: never (been )?written|before|uninitiali|not written|nobody
// NEVER: exchanged|\brstd\b
// HELD: no
// FILL ME IN: launch_atomics (roughly 1 line)
  atomics_kernel<<<grid, block>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns, strip_rows);
// END: launch_atomics
