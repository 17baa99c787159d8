// ENTRY: kernel
// CLASS: stream-order
// CAUSE: The second correction is launched in a stream that does not wait for the others, nor they for it.
// SAYS: stream|order|race|v_hat|\bv\b
// SAYS: order|wait|stream|event|race|nothing
// NEVER: out.of.bounds|__syncthreads
// HELD: no
  // FILL ME IN: launches (roughly 10 lines)
  cudaStream_t aside;
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  // In double: 1 - beta2^step is small in the first steps, and a rounding error of the power would scale
  // every update. And on the host: the corrections are the same for all parameters.
  const double first = 1.0 - std::pow(static_cast<double>(beta1), step);
  const double second = 1.0 - std::pow(static_cast<double>(beta2), step);
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, static_cast<float>(first));
  correct_kernel<<<blocks, kThreads, 0, aside>>>(v, v_hat, count, static_cast<float>(second));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
  // END: launches
