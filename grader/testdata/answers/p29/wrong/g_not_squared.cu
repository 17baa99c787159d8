// ENTRY: kernel
// CLASS: missing-term
// CAUSE: v takes the gradient itself, not its square; where v becomes negative the root is NaN.
// SAYS: \bv\b|NaN|negative
// SAYS: squar|gradient|negative|\bg\b|update
// NEVER: \|g\|\brace\b|never (been )?written|beta1 and beta2
// HELD: yes
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
