// ENTRY: kernel
// CLASS: allocation
// CAUSE: Copies chunks.size() bytes and not sizeof(Chunk) times as many.
// SAYS: cudaMemcpy|copy|bytes
// NEVER: which elements the writer skips|\brace\b|barrier
// HELD: no
  // FILL ME IN: launch (roughly 3 lines)
  cudaMemcpy(table, chunks.data(), chunks.size(), cudaMemcpyHostToDevice);
  adam_kernel<<<static_cast<unsigned>(chunks.size()), kThreads>>>(parameters, gradients, m, v, table, adam);
  // END: launch
