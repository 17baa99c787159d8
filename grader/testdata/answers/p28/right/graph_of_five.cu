// STYLE: the five launches captured into a graph
// FILL ME IN: launches (roughly 16 lines)
  const auto blocks = static_cast<unsigned>((count - 1) / kThreads + 1);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  second_moment_kernel<<<blocks, kThreads, 0, stream>>>(gradients, v, count, beta2);
  first_moment_kernel<<<blocks, kThreads, 0, stream>>>(gradients, m, count, beta1);
  correct_kernel<<<blocks, kThreads, 0, stream>>>(v, v_hat, count, static_cast<float>(-std::expm1(step * std::log(double(beta2)))));
  correct_kernel<<<blocks, kThreads, 0, stream>>>(m, m_hat, count, static_cast<float>(-std::expm1(step * std::log(double(beta1)))));
  update_kernel<<<blocks, kThreads, 0, stream>>>(m_hat, v_hat, parameters, count, lr, eps);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
// END: launches
