// ENTRY: kernel
// CLASS: missing-term
// CAUSE: merge keeps the pair with the larger maximum and forgets the other one's sum.
// SAYS: merge|sum
// SAYS: merge|sum|forg|left|only|missing
// NEVER: \brace\b
// HELD: no
// FILL ME IN: merge (roughly 2 lines)
  if (b.largest > a.largest) both = b;
// END: merge
