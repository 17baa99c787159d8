// ENTRY: kernel
// CLASS: tail
// CAUSE: The number of blocks is rounded down: the parameters of the last block are left as they were.
// SAYS: last|from element|element|launches|\btail\b|256|on\b
// SAYS: round|written|as (it|they) (was|were)|unchanged|input|down|missing|first
// NEVER: \brace\b|without eps|weight decay
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = count > kThreads ? count / kThreads : 1;
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
// END: launches
