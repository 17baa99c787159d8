// STYLE: the two moments in two streams, joined by events before the update
// FILL ME IN: launches (roughly 20 lines)
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  cudaStream_t left, right;
  cudaEvent_t left_done, right_done;
  cudaStreamCreate(&left);
  cudaStreamCreate(&right);
  cudaEventCreate(&left_done);
  cudaEventCreate(&right_done);
  first_moment_kernel<<<blocks, kThreads, 0, left>>>(gradients, m, count, beta1);
  second_moment_kernel<<<blocks, kThreads, 0, right>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads, 0, left>>>(m, m_hat, count, float(1.0 - std::pow(double(beta1), step)));
  correct_kernel<<<blocks, kThreads, 0, right>>>(v, v_hat, count, float(1.0 - std::pow(double(beta2), step)));
  cudaEventRecord(right_done, right);
  cudaStreamWaitEvent(left, right_done, 0);
  update_kernel<<<blocks, kThreads, 0, left>>>(m_hat, v_hat, parameters, count, lr, eps);
  cudaEventRecord(left_done, left);
  cudaStreamWaitEvent(0, left_done, 0);
  cudaStreamSynchronize(left);
  cudaEventDestroy(left_done);
  cudaEventDestroy(right_done);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
// END: launches
