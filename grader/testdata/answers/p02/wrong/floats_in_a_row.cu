// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each thread copies four floats in a row, one by one: lanes stand 16 bytes apart and there are as many requests as before.
// SAYS: \bx\b|\bout\b
// SAYS: coalesc|sectors?|apart|requests?
// NEVER: wrong (answer|value)
// HELD: yes
// FILL ME IN: copy_pieces (answer)
  for (long p = first; 4 * p < n; p += threads)
    for (int k = 0; k < 4; ++k)
      if (4 * p + k < n) out[4 * p + k] = x[4 * p + k];
// END: copy_pieces
// FILL ME IN: alignment (answer)
  aligned = true;
// END: alignment
