// ENTRY: kernel
// CLASS: index
// CAUSE: Gradients are read as if they were packed one behind the other by chunks of 4096, while they lie where the parameters do.
// SAYS: gradient|step|chunk
// NEVER: \brace\b|bias correction|epsilon
// HELD: no
// FILL ME IN: step (roughly 5 lines)
  const Chunk chunk = chunks[blockIdx.x];
  for (long i = threadIdx.x; i < chunk.count; i += kThreads)
    update_parameter(parameters[chunk.first + i], gradients[i], m[chunk.first + i], v[chunk.first + i], adam);
// END: step
