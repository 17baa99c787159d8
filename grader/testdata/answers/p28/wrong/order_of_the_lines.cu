// ENTRY: kernel
// CLASS: stream-order
// CAUSE: m_hat is worked out before the new m: it is that of the step before.
// SAYS: \bm\b|m_hat|moment|step
// SAYS: before|\bold\b|too early|earlier|new m
// NEVER: \brace\b|without eps|weight decay
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
// END: launches
