// ENTRY: kernel
// CLASS: race
// CAUSE: The partial sums of the warps are read without a barrier behind their stores.
// SAYS: race|barrier|__syncthreads|no order|order
// NEVER: gamma stands|uncoalesced
// HELD: yes
#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024) rows_of(const float* dy, const float* x, const float* gamma, const float* mean,
                        const float* rstd, float* dx, int columns) {
  __shared__ float2 part[32];
  const size_t at = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: load_row (roughly 5 lines)
  float g[16], h[16];
  float2 s{};
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int c = threadIdx.x + k * blockDim.x;
    g[k] = c < columns ? dy[at + c] * gamma[c] : 0.0f;
    h[k] = c < columns ? (x[at + c] - mean[blockIdx.x]) * rstd[blockIdx.x] : 0.0f;
    s.x += g[k];
    s.y += g[k] * h[k];
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int d = 16; d; d /= 2) s.x += __shfl_xor_sync(~0u, s.x, d), s.y += __shfl_xor_sync(~0u, s.y, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  s = {};
  for (int w = 0; w < blockDim.x / 32; ++w) s.x += part[w].x, s.y += part[w].y;
  // END: means
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int c = threadIdx.x + k * blockDim.x;
    if (c < columns) dx[at + c] = rstd[blockIdx.x] * (g[k] - s.x / columns - h[k] * (s.y / columns));
  }
// END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  rows_of<<<rows, columns <= 2048 ? 128 : 1024>>>(dy, x, gamma, mean, rstd, dx, columns);
}
