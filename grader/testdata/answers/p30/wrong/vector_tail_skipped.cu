// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop covers whole float4 only: the last one to three parameters of a tensor keep their old values.
// SAYS: last|tail|rest|end|element|step|multiple
// NEVER: \brace\b|bias correction|epsilon
// HELD: no
// FILL ME IN: step (roughly 12 lines)
  const Chunk chunk = chunks[blockIdx.x];
  for (long i = threadIdx.x; i < chunk.count / 4; i += kThreads)
    for (long j = chunk.first + 4 * i; j < chunk.first + 4 * i + 4; ++j)
      update_parameter(parameters[j], gradients[j], m[j], v[j], adam);
// END: step
