// STYLE: one parameter at a time, neighbouring lanes neighbouring parameters
// FILL ME IN: step (roughly 4 lines)
  const Chunk mine = chunks[blockIdx.x];
  for (long i = mine.first + threadIdx.x; i < mine.first + mine.count; i += kThreads)
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
// END: step
