// ENTRY: fused
// CLASS: approximation
// CAUSE: tanh.approx.f32 has eleven good bits; the tolerance asks for twenty.
// SAYS: approx
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|without (the )?bias
// HELD: yes
// FILL ME IN: gelu_tanh (roughly 2 lines)
  float t = kRootTwoOverPi * (v + kCubic * v * v * v), h;
  asm("tanh.approx.f32 %0, %1;" : "=f"(h) : "f"(t));
  result = 0.5f * v * (1.0f + h);
// END: gelu_tanh
