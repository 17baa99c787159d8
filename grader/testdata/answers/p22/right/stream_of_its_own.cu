// STYLE: a stream of its own that nobody waits for but the default stream
// FILL ME IN: launch (roughly 1 line)
  cudaStream_t own;
  cudaStreamCreate(&own);
  rmsnorm_kernel<<<dim3(static_cast<unsigned>(rows)), dim3(kThreads), 0, own>>>(x, weight, out, rows, columns, eps);
  cudaStreamDestroy(own);
// END: launch
