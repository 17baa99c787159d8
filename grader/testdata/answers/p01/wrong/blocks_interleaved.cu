// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The index counts blocks first and threads second: neighbouring lanes stand gridDim.x elements apart.
// SAYS: \bx\b|\bout\b
// SAYS: coalesc|sectors?|apart|stride
// NEVER: wrong (answer|value)
// HELD: no
// FILL ME IN: copy_loop (answer)
  for (long i = threadIdx.x * static_cast<long>(gridDim.x) + blockIdx.x; i < n; i += threads) out[i] = x[i];
// END: copy_loop
