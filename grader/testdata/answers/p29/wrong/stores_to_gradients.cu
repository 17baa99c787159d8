// ENTRY: kernel
// CLASS: pointer
// CAUSE: The updated parameter is stored into the gradients instead of the parameters.
// SAYS: gradients|parameters
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|instead|read.only|input|const|writes?|stor
// NEVER: \brace\b|(without|missing) beta\b|beta (is )?(missing|left out|never)|misaligned
// HELD: yes
// FILL ME IN: step (roughly 20 lines)
  const long stride = static_cast<long>(gridDim.x) * kThreads;
  for (long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride) {
    float p = parameters[i];
    update_parameter(p, gradients[i], m[i], v[i], adam);
    const_cast<float*>(gradients)[i] = p;
  }
// END: step
