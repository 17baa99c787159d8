// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The factor 0.5 of GELU is missing.
// SAYS: 0\.5|half|twice|\b2\b
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: gelu_erf (answer)
  result = v * (1.0f + erff(v * kRootHalf));
// END: gelu_erf
