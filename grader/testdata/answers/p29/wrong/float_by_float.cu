// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A thread walks over its four neighbours one float at a time: every request touches 16 sectors for 4 of use.
// SAYS: parameters|gradients|\bm\b|\bv\b
// SAYS: sectors?|coalesc|neighbour|adjacent|apart|stride|float4
// NEVER: extra launch|wrong (answer|result|value)
// HELD: no
// FILL ME IN: step (roughly 20 lines)
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
  for (long i = first; i < first + 4 && i < count; ++i)
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
// END: step
