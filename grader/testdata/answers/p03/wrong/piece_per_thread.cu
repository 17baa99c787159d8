// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A thread for each piece: every thread waits once for 16 bytes.
// SAYS: waits?|under way|in flight
// SAYS: load|store|time|bytes
// NEVER: \brace\b
// NEVER: coalesc
// HELD: yes
// FILL ME IN: copy_tile (answer)
  const long p = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (p < pieces) out_pieces[p] = x_pieces[p];
// END: copy_tile
// FILL ME IN: launch (answer)
  const long blocks = (n + 4 * kThreads - 1) / (4 * kThreads);
  copy_kernel<<<blocks, kThreads>>>(x, out, n);
// END: launch
