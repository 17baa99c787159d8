// ENTRY: kernel
// CLASS: precision
// CAUSE: The powers are rounded to float before they are taken from 1.
// SAYS: float|precision|round|power|correction|beta
// NEVER: \brace\b|without eps|weight decay
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0f - powf(beta1, step));
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0f - powf(beta2, step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
// END: launches
