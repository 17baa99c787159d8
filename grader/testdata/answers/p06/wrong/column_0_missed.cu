// ENTRY: kernel
// CLASS: index
// CAUSE: The loop begins at threadIdx.x + 1: column 0 is never added.
// SAYS: \b0\b|first
// SAYS: column|all but|missing|left out|without
// NEVER: \brace\b
// NEVER: barrier
// HELD: no
// FILL ME IN: coarsen (roughly 2 lines)
  for (int column = thread + 1; column < columns; column += kThreads) sum += x_row[column];
// END: coarsen
