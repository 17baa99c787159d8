// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps is added before the correction: (sqrt(v) + eps) * root_correction multiplies eps too.
// SAYS: \beps
// SAYS: correction|before|multipl|root|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: yes
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / ((sqrtf(v) + adam.eps) * adam.root_correction);
// END: update
