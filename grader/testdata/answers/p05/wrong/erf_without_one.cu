// ENTRY: kernel
// CLASS: missing-term
// CAUSE: 0.5 v erf(v / sqrt 2): the 1 is missing.
// SAYS: \b1\b|one\b|term|left out|missing|0\.5
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: gelu_erf (answer)
  result = 0.5f * v * erff(v * kRootHalf);
// END: gelu_erf
