// ENTRY: kernel
// CLASS: pointer
// CAUSE: The kernel is given host memory: the vector's data instead of the copy.
// SAYS: host
// NEVER: \brace\b|bias correction|epsilon
// HELD: no
// FILL ME IN: launch (roughly 2 lines)
  cudaMemcpy(table, chunks.data(), sizeof(Chunk) * chunks.size(), cudaMemcpyHostToDevice);
  const Chunk* list = &chunks[0];
  adam_kernel<<<chunks.size(), kThreads>>>(parameters, gradients, m, v, list, adam);
// END: launch
