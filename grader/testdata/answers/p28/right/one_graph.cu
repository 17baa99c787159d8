// STYLE: five launches captured in a graph, in another right order
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
  const unsigned blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  const float c1 = -std::expm1(step * std::log(beta1)), c2 = -std::expm1(step * std::log(beta2));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  first_moment_kernel<<<blocks, kThreads, 0, stream>>>(gradients, m, count, beta1);
  correct_kernel<<<blocks, kThreads, 0, stream>>>(m, m_hat, count, c1);
  second_moment_kernel<<<blocks, kThreads, 0, stream>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads, 0, stream>>>(v, v_hat, count, c2);
  update_kernel<<<blocks, kThreads, 0, stream>>>(m_hat, v_hat, parameters, count, lr, eps);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  // END: launches
