// ENTRY: kernel
// CLASS: missing-term
// CAUSE: p is divided by v_hat and not by its root.
// SAYS: root|sqrt|v_hat|\bv\b
// SAYS: root|sqrt|left out|forg
// NEVER: \brace\b|never (been )?written
// HELD: no
// FILL ME IN: update (roughly 4 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (v * adam.root_correction * adam.root_correction + adam.eps);
// END: update
