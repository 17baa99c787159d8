// ENTRY: kernel
// CLASS: tail
// CAUSE: Columns behind the last whole 32 are never added.
// SAYS: \b32\b|warp
// SAYS: tail|last|whole|behind|groups|multiple
// NEVER: \brace\b
// HELD: no
// FILL ME IN: coarsen (roughly 2 lines)
  const int whole = columns & ~31;
  for (int column = thread; column < whole; column += kThreads) sum += x_row[column];
// END: coarsen
