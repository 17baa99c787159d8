// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps was left out: a parameter whose gradients are all 0 divides 0 by 0.
// SAYS: \beps|0 ?/ ?0|NaN|divi
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|NaN|zero|(is|are|by|with|to|be|gives?|has|stays?|=|grid) \(?0(?![.,]?\d)
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction);
// END: update
