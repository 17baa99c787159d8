// ENTRY: kernel
// CLASS: scaling
// CAUSE: 1 / sqrt(2) multiplies what erf returns and not what it is given.
// SAYS: erf|GELU
// SAYS: outside|behind|after|inside|argument
// NEVER: \brace\b|barrier|bias
// HELD: no
  // FILL ME IN: gelu_erf (roughly 1 lines)
  result = 0.5f * v * (1.0f + erff(v) * kRootHalf);
  // END: gelu_erf
