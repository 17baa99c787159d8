// ENTRY: kernel
// CLASS: missing-term
// CAUSE: v takes the gradient itself, not its square.
// SAYS: \bv\b|second|gradient|\bg\b
// SAYS: squar|power|g\^2
// NEVER: \brace\b|without eps|weight decay
// HELD: no
// FILL ME IN: second_moment (roughly 3 lines)
  v[i] = beta2 * v[i] + (1.0f - beta2) * gradients[i];
// END: second_moment
