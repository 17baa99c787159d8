// ENTRY: fused
// CLASS: scaling
// CAUSE: exp2f stands where expf belongs: the base of the exponential is 2, not e.
// SAYS: \bbase\b|exp2|gelu_tanh|log2|0\.69
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|without (the )?bias|NaN
// HELD: no
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const float t = kRootTwoOverPi * (v + kCubic * v * v * v);
  result = v / (1.0f + exp2f(-2.0f * t));
// END: gelu_tanh
