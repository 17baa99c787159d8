// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The step is added instead of subtracted: p walks uphill.
// SAYS: parameters|\bp\b|update|step
// SAYS: sign|added|subtract|\+|opposite|-1\b|direction|mirror|negat|-2\b|twice
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p += adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
