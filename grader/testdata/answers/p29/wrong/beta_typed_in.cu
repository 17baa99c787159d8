// ENTRY: kernel
// CLASS: scaling
// CAUSE: beta1 is typed in as 0.9 in the update of m.
// SAYS: beta1|\bm\b
// SAYS: 0\.9|typed|constant|argument
// NEVER: \brace\b|never (been )?written
// HELD: no
// FILL ME IN: update (roughly 4 lines)
  m = 0.9f * m + 0.1f * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
