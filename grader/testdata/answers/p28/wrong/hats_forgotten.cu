// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The update is launched with m and v; m_hat and v_hat are worked out and never read.
// SAYS: m_hat|v_hat|correct
// SAYS: without|instead|by m and v|never|not|missing
// NEVER: \brace\b|without eps|weight decay
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m, v, parameters, count, lr, eps);
// END: launches
