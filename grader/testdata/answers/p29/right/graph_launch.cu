// STYLE: the launch captured into a graph
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  adam_kernel<<<static_cast<unsigned>((count + 4L * kThreads - 1) / (4L * kThreads)), kThreads, 0, stream>>>(
      parameters, gradients, m, v, count, adam);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
// END: launch
