// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Grid of `tensors` blocks, not of chunks.size().
// SAYS: grid|block|chunk|launch|before the call|unchanged
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: launch (roughly 3 lines)
  cudaMemcpy(table, chunks.data(), sizeof(Chunk) * chunks.size(), cudaMemcpyHostToDevice);
  adam_kernel<<<tensors, kThreads>>>(parameters, gradients, m, v, table, adam);
  // END: launch
