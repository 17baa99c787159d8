// ENTRY: kernel
// CLASS: index
// CAUSE: The weights are exchanged: (1 - beta1) m + beta1 g.
// SAYS: beta1|\bm\b|moment
// SAYS: exchang|1 ?- ?beta1|beta1|swap
// NEVER: \brace\b|never (been )?written
// HELD: no
// FILL ME IN: update (roughly 4 lines)
  m = (1.0f - adam.beta1) * m + adam.beta1 * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
