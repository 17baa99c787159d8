// ENTRY: kernel
// CLASS: stream-order
// CAUSE: m_hat is made of m before the new m is there: two launches in the wrong order.
// SAYS: m_hat|order|before
// SAYS: \bm\b
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: first_moment (roughly 1 line)
  m[i] = beta1 * m[i] + (1.0f - beta1) * gradients[i];
  // END: first_moment
  // FILL ME IN: second_moment (roughly 2 lines)
  v[i] = beta2 * v[i] + (1.0f - beta2) * gradients[i] * gradients[i];
  // END: second_moment
  // FILL ME IN: correct (roughly 1 line)
  hat[i] = moment[i] / correction;
  // END: correct
  // FILL ME IN: update (roughly 1 line)
  parameters[i] -= lr * m_hat[i] / (sqrtf(v_hat[i]) + eps);
  // END: update
  // FILL ME IN: launches (roughly 10 lines)
  const long blocks = (count + kThreads - 1) / kThreads;
  const float c1 = static_cast<float>(1.0 - std::pow(static_cast<double>(beta1), step));
  const float c2 = static_cast<float>(1.0 - std::pow(static_cast<double>(beta2), step));
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, c1);
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, c2);
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
  // END: launches
