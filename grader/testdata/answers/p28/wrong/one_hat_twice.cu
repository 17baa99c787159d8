// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Both corrections are written to m_hat; v_hat is read though nobody wrote it.
// SAYS: v_hat
// SAYS: never (been )?written|uninitiali|before|nobody|not written
// NEVER: \brace\b|without eps|weight decay
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, m_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
// END: launches
