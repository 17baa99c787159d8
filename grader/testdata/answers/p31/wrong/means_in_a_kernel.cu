// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Two kernels: the means go through memory, and dy and x are read by both.
// SAYS: launch|allocat|intermediate|buffer
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: yes
#include <cuda_runtime.h>

__global__ void means_of(const float* dy, const float* x, const float* gamma, const float* mean,
                         const float* rstd, float* both, int rows, int columns) {
  const size_t at = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: load_row (roughly 5 lines)
  float a = 0, b = 0;
  for (int c = threadIdx.x; c < columns; c += 32) {
    const float g = dy[at + c] * gamma[c];
    a += g;
    b += g * (x[at + c] - mean[blockIdx.x]) * rstd[blockIdx.x];
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int d = 16; d; d /= 2) a += __shfl_xor_sync(~0u, a, d), b += __shfl_xor_sync(~0u, b, d);
  if (threadIdx.x == 0) both[blockIdx.x] = a / columns, both[rows + blockIdx.x] = b / columns;
  // END: means
}

__global__ void gradient(const float* dy, const float* x, const float* gamma, const float* mean,
                         const float* rstd, const float* both, float* dx, int rows, int columns) {
  const int row = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  const size_t at = static_cast<size_t>(row) * columns + c;
  // FILL ME IN: store_row (roughly 5 lines)
  dx[at] = rstd[row] * (dy[at] * gamma[c] - both[row] - (x[at] - mean[row]) * rstd[row] * both[rows + row]);
  // END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  float* both;
  cudaMalloc(&both, 2 * sizeof(float) * rows);
  means_of<<<rows, 32>>>(dy, x, gamma, mean, rstd, both, rows, columns);
  gradient<<<dim3((columns + 127) / 128, rows), 128>>>(dy, x, gamma, mean, rstd, both, dx, rows, columns);
  cudaFree(both);
}
