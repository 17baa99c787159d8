// STYLE: eps and the reciprocal of the length in constant memory, a graph, the weight through a texture-free __ldg
// FILL ME IN: row_statistics (roughly 6 lines)
  float lanes[2] = {0.0f, 0.0f};
  int turn = 0;
  for (const float* p = x_row + threadIdx.x; p < x_row + columns; p += kThreads, turn ^= 1) {
    const float v = __ldg(p);
    lanes[turn] = fmaf(v, v, lanes[turn]);
  }
  const double mean = static_cast<double>(block_sum(lanes[0] + lanes[1])) / columns;
  inverse_rms = static_cast<float>(1.0 / sqrt(mean + static_cast<double>(eps)));
// END: row_statistics
// FILL ME IN: scale_row (roughly 3 lines)
  // Backwards: what was read last is most likely still in the cache.
  const int last = (columns - 1 - static_cast<int>(threadIdx.x)) / kThreads;
  if (static_cast<int>(threadIdx.x) < columns)
    for (int trip = last; trip >= 0; --trip) {
      const int c = trip * kThreads + threadIdx.x;
      out_row[c] = x_row[c] * (inverse_rms * __ldg(weight + c));
    }
// END: scale_row
// FILL ME IN: launch (roughly 1 line)
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  rmsnorm_kernel<<<rows, kThreads, 0, stream>>>(x, weight, out, rows, columns, eps);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
// END: launch
