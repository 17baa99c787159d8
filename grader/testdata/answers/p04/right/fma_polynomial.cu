// STYLE: Horner's scheme with fmaf, tanh through exp(-2|t|) and copysign
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const float inner = kRootTwoOverPi * v * fmaf(kCubic * v, v, 1.0f);
  const float e = expf(-2.0f * fabsf(inner));
  const float t = copysignf((1.0f - e) / (1.0f + e), inner);
  result = fmaf(0.5f * v, t, 0.5f * v);
// END: gelu_tanh
