// STYLE: GELU worked out in double
// FILL ME IN: gelu_erf (answer)
  const double d = v;
  result = static_cast<float>(d * 0.5 * (1.0 + erf(d / sqrt(2.0))));
// END: gelu_erf
