// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The gradient enters m with weight 1 instead of 1 - beta1, as in plain momentum.
// SAYS: \bm\b
// SAYS: 1 ?- ?beta1|gradient|momentum|beta1|update
// NEVER: exactly this:.*(decay|beta2)|\brace\b|never (been )?written|\bv (is|are) wrong
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
