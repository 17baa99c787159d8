// ENTRY: kernel
// CLASS: index
// CAUSE: The tail is taken from the beginning of x instead of from behind the pieces.
// SAYS: tail|last|copy_pieces|behind|end|earlier|element
// NEVER: coalesc
// NEVER: \brace\b
// HELD: no
// FILL ME IN: copy_pieces (answer)
  const long pieces = aligned ? n / 4 : 0;
  for (long p = first; p < pieces; p += threads) out_pieces[p] = x_pieces[p];
  for (long i = first; i < n - pieces * 4; i += threads) out[pieces * 4 + i] = x[i];
// END: copy_pieces
