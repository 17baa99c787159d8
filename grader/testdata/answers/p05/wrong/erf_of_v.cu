// ENTRY: kernel
// CLASS: scaling
// CAUSE: The argument of erf is v, not v / sqrt(2).
// SAYS: erf|sqrt|root|0\.707|argument
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: gelu_erf (answer)
  result = 0.5f * v * (1.0f + erff(v));
// END: gelu_erf
