// ENTRY: kernel
// CLASS: index
// CAUSE: Rows are taken to be kThreads long: row r is read from r * 256.
// SAYS: row|x\b|index|out.of.bounds|256|pitch|stride
// SAYS: 256|kThreads|past|wrong row|stride|pitch|other|long|outside
// NEVER: \brace\b
// HELD: no
// FILL ME IN: coarsen (roughly 2 lines)
  const float* mine = x + static_cast<size_t>(blockIdx.x) * kThreads;
  for (int column = thread; column < columns; column += kThreads) sum += mine[column];
// END: coarsen
