// ENTRY: kernel
// CLASS: missing-term
// CAUSE: v takes the square of the new m instead of the gradient's.
// SAYS: \bv\b
// SAYS: \bm\b|gradient|square|update
// NEVER: \brace\b|never (been )?written|beta1 and beta2
// HELD: yes
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * m * m;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
