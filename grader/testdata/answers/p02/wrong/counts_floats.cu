// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The loop over pieces runs to n, the number of floats.
// SAYS: out-of-bounds|past the end|beyond|bound
// NEVER: \brace\b
// HELD: no
// FILL ME IN: copy_pieces (answer)
  if (aligned)
    for (long p = first; p < n; p += threads) out_pieces[p] = x_pieces[p];
  else
    for (long i = first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
