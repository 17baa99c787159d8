// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A thread takes four parameters of its chunk and stops: chunks longer than 1024 are not finished.
// SAYS: chunk|1024|first|beyond|step|thread|element|loop
// NEVER: \brace\b|bias correction|epsilon
// HELD: no
// FILL ME IN: step (roughly 6 lines)
  const Chunk chunk = chunks[blockIdx.x];
  for (int k = 0; k < 4; ++k) {
    const long i = k * kThreads + threadIdx.x;
    if (i < chunk.count)
      update_parameter(parameters[chunk.first + i], gradients[chunk.first + i], m[chunk.first + i], v[chunk.first + i], adam);
  }
// END: step
