// ENTRY: kernel
// CLASS: scaling
// CAUSE: beta2 is given to the first moment and beta1 to the second.
// SAYS: beta
// SAYS: exchanged|swapped|instead|beta2|beta1
// NEVER: \brace\b|without eps|weight decay
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta2);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta1);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
// END: launches
