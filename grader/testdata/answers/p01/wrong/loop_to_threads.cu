// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The loop ends at the number of threads instead of n.
// SAYS: never (been )?written|not written|unwritten|no one w|untouched|only|loop|one element|threads?
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_loop (answer)
  for (long i = first; i < n && i < threads; i += threads) out[i] = x[i];
// END: copy_loop
