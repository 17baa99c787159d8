// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps is left out: parameters that never had a gradient become 0 / 0.
// SAYS: \beps|nan|0 / 0|finite
// NEVER: \brace\b|weight decay
// HELD: yes
// FILL ME IN: update (roughly 3 lines)
  parameters[i] = parameters[i] - lr * m_hat[i] / sqrtf(v_hat[i]);
// END: update
