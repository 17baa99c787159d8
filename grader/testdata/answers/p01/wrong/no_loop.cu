// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Each thread copies one element, but the grid has a thread for every fourth element only.
// SAYS: never (been )?written|not written|unwritten|no one w|untouched|only|loop|one element|beyond|threads?
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_loop (answer)
  if (first < n) out[first] = x[first];
// END: copy_loop
