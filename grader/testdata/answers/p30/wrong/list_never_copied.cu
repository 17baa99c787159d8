// ENTRY: kernel
// CLASS: allocation
// CAUSE: The list stays on the host: what the kernel reads in its place nobody has written.
// SAYS: never (been )?written|uninitiali|before|not written|nobody
// NEVER: \brace\b|bias correction|epsilon
// HELD: yes
// FILL ME IN: launch (roughly 1 line)
  adam_kernel<<<chunks.size(), kThreads>>>(parameters, gradients, m, v, table, adam);
// END: launch
