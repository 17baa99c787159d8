// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The pieces are rounded up, so the last one reaches past the end.
// SAYS: out-of-bounds|past the end|beyond|bound
// NEVER: \brace\b
// HELD: no
// FILL ME IN: copy_pieces (answer)
  const long pieces = (n + 3) / 4;
  if (aligned)
    for (long p = first; p < pieces; p += threads) out_pieces[p] = x_pieces[p];
  else
    for (long i = first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
