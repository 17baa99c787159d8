// ENTRY: kernel
// CLASS: missing-term
// CAUSE: p is moved by the m of before this step: m must be updated first.
// SAYS: \bm\b|update|moment
// SAYS: \bold\b|step before|previous|last step|before (the|this) step|order|new m|\bupdate\b|updated (first|later|after)
// NEVER: \brace\b|never (been )?written|beta1 and beta2
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  const float before = m;
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * before / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
