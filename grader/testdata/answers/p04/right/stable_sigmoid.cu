// STYLE: the tanh form as v / (1 + e^-2t), with expf
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const float t = kRootTwoOverPi * (v + kCubic * v * v * v);
  result = v / (1.0f + expf(-2.0f * t));
// END: gelu_tanh
