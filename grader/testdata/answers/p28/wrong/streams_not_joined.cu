// ENTRY: kernel
// CLASS: stream-order
// CAUSE: v and v_hat are made in a second stream, and the update does not wait for it.
// SAYS: stream|wait|order|\brace\b|same time
// NEVER: without eps|weight decay
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  second_moment_kernel<<<blocks, kThreads, 0, other>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads, 0, other>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  first_moment_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
  cudaStreamSynchronize(other);
  cudaStreamDestroy(other);
// END: launches
