// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Half as many blocks as rows.
// SAYS: rows
// SAYS: blocks|grid
// NEVER: \brace\b|barrier|columns? \d+ and on
// HELD: no
  // FILL ME IN: launch (roughly 1 lines)
  rmsnorm_kernel<<<(rows + 1) / 2, kThreads>>>(x, weight, out, rows, columns, eps);
  // END: launch
