// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A launch for each tensor.
// SAYS: launch
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced|\brace\b
// HELD: no
// FILL ME IN: launch (roughly 7 lines)
  cudaMemcpy(table, chunks.data(), sizeof(Chunk) * chunks.size(), cudaMemcpyHostToDevice);
  long done = 0;
  for (int t = 0; t < tensors; ++t) {
    const long own = (sizes[t] + kChunk - 1) / kChunk;
    if (own > 0) adam_kernel<<<own, kThreads>>>(parameters, gradients, m, v, table + done, adam);
    done += own;
  }
// END: launch
