// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The bound is i <= n: one thread copies x[n], which is not there.
// SAYS: out-of-bounds|past the end|beyond|bound
// NEVER: race
// HELD: yes
// FILL ME IN: copy_loop (answer)
  for (long i = first; !(i > n); i += threads) out[i] = x[i];
// END: copy_loop
