// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The new m is never stored: the tensor keeps the values of before the step.
// SAYS: \bm\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|before|not stored|\bold\b|input
// NEVER: \brace\b|\bv is|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: step (roughly 20 lines)
  const long first = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long stride = static_cast<long>(gridDim.x) * kThreads;
  for (long i = first; i < count; i += stride) {
    float moment = m[i];
    update_parameter(parameters[i], gradients[i], moment, v[i], adam);
  }
// END: step
