// ENTRY: fused
// CLASS: missing-term
// CAUSE: A parenthesis is missing in `gelu_tanh`: 0.5 v 1 + tanh(...) instead of 0.5 v (1 + tanh(...)).
// SAYS: gelu_tanh|parenthes|tanh
// NEVER: without (the )?bias|NaN
// HELD: no
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const float t = tanhf(kRootTwoOverPi * (v + kCubic * v * v * v));
  result = 0.5f * v * 1.0f + t;
// END: gelu_tanh
