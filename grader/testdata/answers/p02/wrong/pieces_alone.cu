// ENTRY: kernel
// CLASS: tail
// CAUSE: The one to three elements behind the last piece are left out.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched|tail|last|behind
// NEVER: \brace\b
// NEVER: coalesc
// HELD: yes
// FILL ME IN: copy_pieces (answer)
  if (aligned) {
    for (long p = first; p < n / 4; p += threads) out_pieces[p] = x_pieces[p];
  } else {
    for (long i = first; i < n; i += threads) out[i] = x[i];
  }
// END: copy_pieces
