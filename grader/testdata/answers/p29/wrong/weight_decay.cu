// ENTRY: kernel
// CLASS: missing-term
// CAUSE: A weight decay of 0.01 is added to the gradient; plain Adam has none.
// SAYS: decay|0\.01\b|multiple of parameters|times parameters|\bgradients?\b.*parameters|update
// NEVER: \brace\b|never (been )?written|beta1 and beta2
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  g += 0.01f * p;
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
