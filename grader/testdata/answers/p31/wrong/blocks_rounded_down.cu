// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The number of blocks is rounded down where a block has several rows: the last rows are never written.
// SAYS: row|block|written|launch
// NEVER: \brace\b|gamma stands
// HELD: no
#include <cuda_runtime.h>

__global__ void warp_rows(const float* dy, const float* x, const float* gamma, const float* mean,
                          const float* rstd, float* dx, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  // FILL ME IN: load_row (roughly 5 lines)
  float a = 0, b = 0, g[32], h[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const int c = threadIdx.x + 32 * k;
    g[k] = c < columns ? dy[row * columns + c] * gamma[c] : 0.0f;
    h[k] = c < columns ? (x[row * columns + c] - mean[row]) * rstd[row] : 0.0f;
    a += g[k];
    b += g[k] * h[k];
  }
  // Longer rows are read again.
  for (int c = threadIdx.x + 1024; c < columns; c += 32) {
    const float v = dy[row * columns + c] * gamma[c];
    a += v;
    b += v * (x[row * columns + c] - mean[row]) * rstd[row];
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int d = 16; d; d /= 2) a += __shfl_xor_sync(~0u, a, d), b += __shfl_xor_sync(~0u, b, d);
  a /= columns;
  b /= columns;
  // END: means
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int k = 0; k < 32; ++k)
    if (threadIdx.x + 32 * k < columns) dx[row * columns + threadIdx.x + 32 * k] = rstd[row] * (g[k] - a - h[k] * b);
  for (int c = threadIdx.x + 1024; c < columns; c += 32)
    dx[row * columns + c] = rstd[row] * (dy[row * columns + c] * gamma[c] - a -
                                         (x[row * columns + c] - mean[row]) * rstd[row] * b);
// END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  const int blocks = rows / 4;
  if (blocks > 0)
    warp_rows<<<blocks, dim3(32, 4)>>>(dy, x, gamma, mean, rstd, dx, rows, columns);
  else
    warp_rows<<<1, dim3(32, rows)>>>(dy, x, gamma, mean, rstd, dx, rows, columns);
}
