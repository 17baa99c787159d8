// ENTRY: kernel
// CLASS: scaling
// CAUSE: eps stands under the root.
// SAYS: \beps
// SAYS: root|inside|under
// NEVER: \brace\b|weight decay
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  parameters[i] = parameters[i] - lr * m_hat[i] * rsqrtf(v_hat[i] + eps);
// END: update
