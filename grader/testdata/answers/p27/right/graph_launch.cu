// STYLE: one launch in a graph
// FILL ME IN: launch (roughly 22 lines)
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  const int blocks = (bags + kWarpsPerBlock - 1) / kWarpsPerBlock;
  if (width % 4 != 0)
    bag_kernel<<<blocks, kThreads, 0, stream>>>(ids, offsets, table, out, bags, count, vocabulary, width, mean > 0);
  else
    bag_kernel<<<blocks, kThreads, 0, stream>>>(ids, offsets, (const float4*)table, (float4*)out, bags, count, vocabulary,
                                                width >> 2, mean > 0);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
// END: launch
