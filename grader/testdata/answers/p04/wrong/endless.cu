// ENTRY: unfused
// CLASS: control-flow
// CAUSE: The loop of `apply_gelu` never advances c: every thread stores its first element for ever.
// SAYS: loop|\bend(s|less)?\b|for ever|forever|never (stop|finish|return|advance)|limit
// NEVER: \brace\b|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads
// HELD: no
// FILL ME IN: apply_gelu (roughly 2 lines)
  int c = threadIdx.x;
  while (c < columns) out[row + c] = gelu(biased[row + c]);
// END: apply_gelu
