// ENTRY: kernel
// CLASS: tail
// CAUSE: It copies pairs: the last element of an odd number is copied by nobody.
// SAYS: last
// SAYS: element
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: copy_loop (roughly 1 line)
  for (long i = first; i < n / 2; i += threads) {
    out[2 * i] = x[2 * i];
    out[2 * i + 1] = x[2 * i + 1];
  }
  // END: copy_loop
  // FILL ME IN: launch (roughly 3 lines)
  const int blocks = static_cast<int>((n + kThreads - 1) / kThreads);
  copy_kernel<<<blocks, kThreads>>>(x, out, n);
  // END: launch
