// ENTRY: kernel
// CLASS: index
// CAUSE: The loop steps by the threads of one block although all blocks run: neighbours copy the same elements again.
// SAYS: race|same (place|element|value)|again|times over|blocks?
// NEVER: shared memory
// HELD: no
// FILL ME IN: copy_loop (answer)
  for (long i = first; i < n; i += kThreads) out[i] = x[i];
// END: copy_loop
