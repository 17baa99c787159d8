// ENTRY: unfused
// CLASS: scaling
// CAUSE: The constant 0.044715 was typed as 0.44715.
// SAYS: constant|0\.44715|0\.044715|cub|factor
// SAYS: 0\.44|10|ten|constant|factor
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|\brace\b
// HELD: no
// FILL ME IN: gelu_tanh (roughly 4 lines)
  result = 0.5f * v * (1.0f + tanhf(kRootTwoOverPi * (v + 0.44715f * v * v * v)));
// END: gelu_tanh
