// STYLE: as many blocks as fit, each walks over rows; gamma is loaded once a block where the row is narrow
#include <cuda_runtime.h>

template <int kKept>
__global__ void __launch_bounds__(kKept == 16 ? 1024 : 128) walk(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ dx,
                     int rows, int columns) {
  __shared__ float2 part[2][32];
  float weight[kKept];
#pragma unroll
  for (int k = 0; k < kKept; ++k) {
    const int c = threadIdx.x + k * blockDim.x;
    weight[k] = c < columns ? gamma[c] : 0.0f;
  }
  int side = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, side ^= 1) {
    const float m = mean[row], s = rstd[row];
    // FILL ME IN: load_row (roughly 5 lines)
    float g[kKept], n[kKept], a = 0, b = 0;
#pragma unroll
    for (int k = 0; k < kKept; ++k) {
      const int c = threadIdx.x + k * blockDim.x;
      g[k] = c < columns ? weight[k] * dy[static_cast<long>(row) * columns + c] : 0.0f;
      n[k] = c < columns ? (x[static_cast<long>(row) * columns + c] - m) * s : 0.0f;
      a += g[k];
      b += g[k] * n[k];
    }
    // END: load_row
    // FILL ME IN: means (roughly 5 lines)
    for (int d = 16; d; d /= 2) a += __shfl_xor_sync(~0u, a, d), b += __shfl_xor_sync(~0u, b, d);
    if (threadIdx.x % 32 == 0) part[side][threadIdx.x / 32] = {a, b};
    __syncthreads();
    a = b = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) a += part[side][w].x, b += part[side][w].y;
    // END: means
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
    for (int k = 0; k < kKept; ++k) {
      const int c = threadIdx.x + k * blockDim.x;
      if (c < columns) dx[static_cast<long>(row) * columns + c] = s * (g[k] - (a + n[k] * b) / columns);
    }
// END: store_row
  }
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  const int blocks = rows < 132 * 2 ? rows : 132 * 2;
  if (columns <= 128 * 6)
    walk<6><<<blocks, 128>>>(dy, x, gamma, mean, rstd, dx, rows, columns);
  else
    walk<16><<<blocks, 1024>>>(dy, x, gamma, mean, rstd, dx, rows, columns);
}
