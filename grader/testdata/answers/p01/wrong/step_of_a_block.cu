// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A thread goes on by the threads of its block and not by those of the grid.
// SAYS: race|several threads|twice|once
// SAYS: store|element|value
// NEVER: barrier|shared memory
// HELD: no
  // FILL ME IN: copy_loop (roughly 1 lines)
  for (long i = first; i < n; i += blockDim.x) out[i] = x[i];
  // END: copy_loop
