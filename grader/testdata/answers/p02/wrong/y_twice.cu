// ENTRY: kernel
// CLASS: index
// CAUSE: The third member of each piece is taken from the second.
// SAYS: element|column|place|copy_pieces|2|third|previous|one
// NEVER: coalesc
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: copy_pieces (answer)
  const long pieces = aligned ? n / 4 : 0;
  for (long p = first; p < pieces; p += threads) {
    const float4 v = x_pieces[p];
    out_pieces[p] = make_float4(v.x, v.y, v.y, v.w);
  }
  for (long i = pieces * 4 + first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
