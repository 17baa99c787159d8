// ENTRY: kernel
// CLASS: scaling
// CAUSE: v is multiplied by sqrt(2) where it should be divided by it.
// SAYS: erf|sqrt|root|0\.707|1\.41|argument
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: gelu_erf (answer)
  result = 0.5f * v * (1.0f + erff(v * 1.41421356f));
// END: gelu_erf
