// ENTRY: kernel
// CLASS: race
// CAUSE: Thread t takes parameters t to t + 3 instead of 4t to 4t + 3: neighbours update the same parameters.
// SAYS: race|overlap|same (element|parameter|address)|misalign|4 ?\* ?|several threads|neighbour
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads|(put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: step (roughly 20 lines)
  const long first = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  for (long i = first; i < first + 4 && i < count; ++i)
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
// END: step
