// ENTRY: unfused
// CLASS: approximation
// CAUSE: In `gelu_tanh` the cubic term is a square: 0.044715 v^2 stands where 0.044715 v^3 belongs.
// SAYS: cub|square|v\^2|v\^3|gelu_tanh
// NEVER: bias (is )?(missing|not added)|without (the )?bias
// HELD: no
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const float inner = kRootTwoOverPi * (v + kCubic * v * v);
  result = 0.5f * v * (1.0f + tanhf(inner));
// END: gelu_tanh
