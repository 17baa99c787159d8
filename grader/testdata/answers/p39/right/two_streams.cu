// STYLE: the plan on a stream of its own, joined by an event
  // FILL ME IN: launch (roughly 5 lines)
  cudaStream_t side;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  plan_kernel<<<(count + 63) / 64, 64, 0, side>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us,
                                                  share, launch_us);
  cudaEventRecord(done, side);
  linear_kernel<<<dim3((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile), kThreads>>>(x, weight, bias, out,
                                                                                           rows, inner, columns);
  cudaStreamWaitEvent(0, done, 0);
  cudaEventDestroy(done);
  cudaStreamDestroy(side);
  // END: launch
