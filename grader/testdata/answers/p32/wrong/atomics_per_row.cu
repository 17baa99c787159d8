// ENTRY: atomics
// CLASS: over-budget
// CAUSE: Every row is added atomically; nothing is summed up in registers.
// SAYS: atomic
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced|\brace\b
// HELD: no
#include <cuda_runtime.h>

__global__ void each(const float* dy, const float* x, const float* mean, const float* rstd, float* dgamma,
                     float* dbeta, int columns) {
  const int row = blockIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  if (column >= columns) return;
  // FILL ME IN: strip (roughly 2 lines)
  const float d = dy[static_cast<size_t>(row) * columns + column];
  const float xhat = (x[static_cast<size_t>(row) * columns + column] - mean[row]) * rstd[row];
  // END: strip
  // FILL ME IN: add (roughly 2 lines)
  atomicAdd(dgamma + column, d * xhat);
  atomicAdd(dbeta + column, d);
  // END: add
}

void layernorm_backward_params_atomics(const float* dy, const float* x, const float* mean, const float* rstd,
                                       float* dgamma, float* dbeta, int rows, int columns) {
  // FILL ME IN: launch_atomics (roughly 3 lines)
  cudaMemset(dgamma, 0, sizeof(float) * columns);
  cudaMemset(dbeta, 0, sizeof(float) * columns);
  each<<<dim3((columns + 31) / 32, rows), 32>>>(dy, x, mean, rstd, dgamma, dbeta, columns);
  // END: launch_atomics
}

void layernorm_backward_params(const float*, const float*, const float*, const float*, float*, float*, int, int) {
  // FILL ME IN: store (roughly 1 line)
  // END: store
  // FILL ME IN: finalise (roughly 1 line)
  // END: finalise
  // FILL ME IN: launches (roughly 1 line)
  // END: launches
}
