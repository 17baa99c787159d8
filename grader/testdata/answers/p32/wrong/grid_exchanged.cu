// ENTRY: partials
// CLASS: launch-shape
// CAUSE: The second kernel is launched with as many blocks as there are strips, not as there are groups of columns.
// SAYS: block|grid|launch|column|written
// NEVER: \brace\b|exchanged
// HELD: no
// FILL ME IN: launches (roughly 2 lines)
  partials_kernel<<<grid, block>>>(dy, x, mean, rstd, partial, rows, columns, strip_rows);
  finalise_kernel<<<grid.y, block>>>(partial, dgamma, dbeta, grid.y, columns);
// END: launches
