// ENTRY: kernel
// CLASS: missing-term
// CAUSE: p is moved along the gradient, divided by the root of v: RMSProp, m plays no part.
// SAYS: \bm\b|gradient|m_hat
// SAYS: gradients?|stands where|instead|momentum|left out
// NEVER: \brace\b|never (been )?written
// HELD: no
// FILL ME IN: update (roughly 4 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * g / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
