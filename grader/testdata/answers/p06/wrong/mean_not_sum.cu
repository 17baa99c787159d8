// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum is divided by the number of columns: the mean.
// SAYS: columns|mean|divided|length
// NEVER: \brace\b
// NEVER: tail
// HELD: no
// FILL ME IN: coarsen (roughly 2 lines)
  for (int column = thread; column < columns; column += kThreads) sum += x_row[column];
  sum /= columns;
// END: coarsen
