// ENTRY: kernel
// CLASS: stream-order
// CAUSE: Nobody waits for the mean, which is made in another stream.
// SAYS: stream
// NEVER: barrier|__syncthreads
// HELD: no
  // FILL ME IN: launches (roughly 6 lines)
  cudaStream_t side;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  mean_kernel<<<rows, kThreads, 0, side>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
  cudaStreamDestroy(side);
  // END: launches
