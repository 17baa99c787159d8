// ENTRY: kernel
// CLASS: precision
// CAUSE: The running sum is cut to 16 bits (bfloat16) after each addition.
// SAYS: bf16|bfloat|16|precision|digits|roundi?n?g|bits
// NEVER: \brace\b
// NEVER: missing|left out
// HELD: no
// FILL ME IN: coarsen (roughly 3 lines)
  for (int column = thread; column < columns; column += kThreads)
    sum = __uint_as_float(__float_as_uint(sum + x_row[column]) & 0xffff0000u);
// END: coarsen
