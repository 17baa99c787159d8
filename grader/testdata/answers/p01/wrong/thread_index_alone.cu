// ENTRY: kernel
// CLASS: index
// CAUSE: The index leaves out the number of the block, so all blocks copy the same elements.
// SAYS: race|same (place|element|value)|again|times over|every block|blocks?
// NEVER: coalesc
// NEVER: shared memory
// HELD: yes
// FILL ME IN: copy_loop (answer)
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = x[i];
  }
// END: copy_loop
