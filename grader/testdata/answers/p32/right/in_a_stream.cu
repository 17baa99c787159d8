// STYLE: everything in a stream of its own, cleared asynchronously
// FILL ME IN: launch_atomics (roughly 8 lines)
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemsetAsync(dgamma, 0, sizeof(float) * columns, stream);
  cudaMemsetAsync(dbeta, 0, sizeof(float) * columns, stream);
  atomics_kernel<<<grid, block, 0, stream>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns, strip_rows);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
// END: launch_atomics
// FILL ME IN: add (roughly 3 lines)
  if (column < columns && threadIdx.y == 0) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(dgamma + column), "f"(sums.x) : "memory");
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(dbeta + column), "f"(sums.y) : "memory");
  }
// END: add
