// ENTRY: unfused
// CLASS: approximation
// CAUSE: tanh is written as (e^2t - 1) / (e^2t + 1), which is inf / inf = NaN as soon as e^2t overflows.
// SAYS: NaN|\binf(inity)?\b|overflow
// SAYS: \bexpf?\b|e\^|tanh|large|overflow
// NEVER: never written|uninitiali[sz]ed
// HELD: no
// FILL ME IN: gelu_tanh (roughly 2 lines)
  const float t = kRootTwoOverPi * (v + kCubic * v * v * v);
  const float e = expf(2.0f * t);
  result = 0.5f * v * (1.0f + (e - 1.0f) / (e + 1.0f));
// END: gelu_tanh
