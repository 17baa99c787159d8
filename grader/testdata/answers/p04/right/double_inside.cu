// STYLE: GELU in double, in a lambda
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const auto cube = [](double u) { return u * u * u; };
  result = static_cast<float>(0.5 * v * (1.0 + tanh(0.7978845608028654 * (v + 0.044715 * cube(v)))));
// END: gelu_tanh
