// STYLE: copy and launch in a stream
// FILL ME IN: launch (roughly 6 lines)
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(table, chunks.data(), chunks.size() * sizeof(Chunk), cudaMemcpyHostToDevice, stream);
  adam_kernel<<<chunks.size(), kThreads, 0, stream>>>(parameters, gradients, m, v, table, adam);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
// END: launch
