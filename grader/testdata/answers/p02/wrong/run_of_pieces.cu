// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each thread walks along a run of pieces of its own, so that lanes stand a run apart.
// SAYS: \bx\b|\bout\b
// SAYS: coalesc|sectors?|apart
// NEVER: wrong (answer|value)
// HELD: no
// FILL ME IN: copy_pieces (answer)
  const long pieces = aligned ? n / 4 : 0;
  const long run = (pieces + threads - 1) / threads;
  for (long p = first * run; p < (first + 1) * run && p < pieces; ++p) out_pieces[p] = x_pieces[p];
  for (long i = pieces * 4 + first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
