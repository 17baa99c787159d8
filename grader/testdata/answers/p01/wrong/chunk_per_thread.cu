// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each thread copies a run of neighbouring elements, so that the lanes of a warp stand a run apart.
// SAYS: \bx\b|\bout\b
// SAYS: coalesc|sectors?|apart|stride
// NEVER: wrong (answer|value)
// HELD: no
// FILL ME IN: copy_loop (answer)
  const long each = n / threads + 1;
  for (long k = 0; k < each; ++k) {
    const long i = first * each + k;
    if (i < n) out[i] = x[i];
  }
// END: copy_loop
