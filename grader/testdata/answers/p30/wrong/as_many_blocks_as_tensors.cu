// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: As many blocks are launched as there are tensors, not as there are chunks: of longer tensors the last chunks are left out.
// SAYS: block|launch|chunk|grid|tensors
// NEVER: \brace\b|bias correction|epsilon
// HELD: yes
// FILL ME IN: launch (roughly 2 lines)
  cudaMemcpy(table, chunks.data(), sizeof(Chunk) * chunks.size(), cudaMemcpyHostToDevice);
  adam_kernel<<<std::min<int>(tensors, chunks.size()), kThreads>>>(parameters, gradients, m, v, table, adam);
// END: launch
