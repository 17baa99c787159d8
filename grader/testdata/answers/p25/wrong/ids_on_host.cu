// ENTRY: kernel
// CLASS: pointer
// CAUSE: The kernel is given the address of a host array instead of device memory for the ids.
// SAYS: host
// SAYS: address|pointer|memory|\bids?\b
// NEVER: \brace\b|misaligned
// HELD: no
// FILL ME IN: launch (roughly 9 lines)
  static int identity[1 << 16];
  for (int t = 0; t < (1 << 16); ++t) identity[t] = t;
  gather_kernel<<<(tokens - 1) / kWarpsPerBlock + 1, kThreads>>>(identity, table, out, tokens, vocabulary, width);
  (void)ids;
// END: launch
