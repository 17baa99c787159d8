// ENTRY: kernel
// CLASS: index
// CAUSE: The loop over pieces steps by four times the threads, so three of four rounds are left out.
// SAYS: never (been )?written|not written|unwritten|nobody|no one|untouched
// NEVER: coalesc
// HELD: no
// FILL ME IN: copy_pieces (answer)
  const long pieces = aligned ? n / 4 : 0;
  for (long p = first; p < pieces; p += 4 * threads) out_pieces[p] = x_pieces[p];
  for (long i = pieces * 4 + first; i < n; i += threads) out[i] = x[i];
// END: copy_pieces
