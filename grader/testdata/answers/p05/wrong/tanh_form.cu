// ENTRY: kernel
// CLASS: approximation
// CAUSE: GELU in the tanh form instead of the erf form.
// SAYS: tanh
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: gelu_erf (answer)
  const float u = 0.7978845608f * v * (1.0f + 0.044715f * v * v);
  result = v * 0.5f * (1.0f + tanhf(u));
// END: gelu_erf
