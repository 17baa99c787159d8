// ENTRY: unfused
// CLASS: missing-term
// CAUSE: 0.044715 v^3 is multiplied to v instead of added: the parenthesis has a * for a +.
// SAYS: gelu_tanh|\bv\b|cube|\^3|argument
// SAYS: multipl|added|times|\*|instead
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|\brace\b
// HELD: no
// FILL ME IN: gelu_tanh (roughly 4 lines)
  result = 0.5f * v * (1.0f + tanhf(kRootTwoOverPi * (v * kCubic * v * v * v)));
// END: gelu_tanh
