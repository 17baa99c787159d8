// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Threads without a column return before they have put their 0 into `partial`; the tree reads words that nobody wrote.
// SAYS: partial|shared|barrier
// SAYS: written|uninitiali|return|never|wait|left
// NEVER: misaligned
// HELD: yes
// FILL ME IN: coarsen (roughly 2 lines)
  if (thread >= columns) return;
  for (int column = thread; column < columns; column += kThreads) sum += x_row[column];
// END: coarsen
