// ENTRY: kernel
// CLASS: tail
// CAUSE: Only whole warps are copied: the last n % 32 elements are left out.
// SAYS: never (been )?written|not written|unwritten|last|tail|32|whole
// NEVER: race|coalesc
// HELD: no
// FILL ME IN: copy_loop (answer)
  for (long i = first; i < (n & ~31l); i += threads) out[i] = x[i];
// END: copy_loop
