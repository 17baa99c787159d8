// ENTRY: kernel
// CLASS: approximation
// CAUSE: The quick GELU with a sigmoid.
// SAYS: sigmoid|quick|1\.702
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: gelu_erf (answer)
  result = v * (1.0f / (1.0f + __expf(-1.702f * v)));
// END: gelu_erf
