// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: It adds to out, which holds nothing yet.
// SAYS: uninitiali|never (been )?(written|read)|nobody|not read|unwritten
// NEVER: race|coalesc
// HELD: yes
// FILL ME IN: copy_loop (answer)
  for (long i = first; i < n; i += threads) out[i] += x[i];
// END: copy_loop
