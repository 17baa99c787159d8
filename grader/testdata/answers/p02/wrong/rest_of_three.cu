// ENTRY: kernel
// CLASS: tail
// CAUSE: Where nothing is aligned only the n % 4 floats behind the last piece are copied.
// SAYS: aligned
// SAYS: rest|n % 4|single|only
// NEVER: \brace\b|barrier|out.of.bounds
// HELD: no
  // FILL ME IN: copy_pieces (roughly 3 lines)
  const long pieces = aligned ? n / kFloats : 0;
  for (long p = first; p < pieces; p += threads) out_pieces[p] = x_pieces[p];
  if (first < n % kFloats) out[pieces * kFloats + first] = x[pieces * kFloats + first];
  // END: copy_pieces
