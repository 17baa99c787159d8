// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps stands inside the square root; it belongs outside.
// SAYS: \beps
// SAYS: root|sqrt|inside|outside|under
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  m = fmaf(adam.beta1, m, (1.0f - adam.beta1) * g);
  v = fmaf(adam.beta2, v, (1.0f - adam.beta2) * g * g);
  p -= adam.step_size * m / sqrtf(v * adam.root_correction * adam.root_correction + adam.eps);
// END: update
