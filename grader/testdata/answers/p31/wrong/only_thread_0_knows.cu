// ENTRY: kernel
// CLASS: index
// CAUSE: Only thread 0 has the block's sum in v; the others return what they have in between, and must read buffer[0].
// SAYS: buffer\[0\]|thread 0
// SAYS: line
// NEVER: barrier|race
// HELD: no
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kFull = 0xffffffffu;

__device__ float block_sum(float v, float* buffer, int warps) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(kFull, v, d);
  if (threadIdx.x % 32 == 0) buffer[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < warps ? buffer[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(kFull, v, d);
    if (threadIdx.x == 0) buffer[0] = v;
  }
  __syncthreads();
  return v;  // for everybody
}

// A block for a row; thread t keeps columns t, t + blockDim.x, ...
template <int N>
__global__ void __launch_bounds__(1024)
    layernorm_dx_kernel(const float* __restrict__ dy, const float* __restrict__ x,
                        const float* __restrict__ gamma, const float* __restrict__ mean,
                        const float* __restrict__ rstd, float* __restrict__ dx, int columns) {
  __shared__ float buffer_a[32], buffer_b[32];
  const float* my_dy = dy + static_cast<std::size_t>(blockIdx.x) * columns;
  const float* my_x = x + static_cast<std::size_t>(blockIdx.x) * columns;
  float* my_dx = dx + static_cast<std::size_t>(blockIdx.x) * columns;
  const float mu = mean[blockIdx.x], sigma_inverse = rstd[blockIdx.x];

  float upstream[N], normalized[N];
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    upstream[i] = c < columns ? my_dy[c] * gamma[c] : 0.0f;
    normalized[i] = c < columns ? (my_x[c] - mu) * sigma_inverse : 0.0f;
  }

  float a = 0.0f, b = 0.0f;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    a += upstream[i];
    b += upstream[i] * normalized[i];
  }
  const int warps = blockDim.x / 32;
  a = block_sum(a, buffer_a, warps) / columns;
  b = block_sum(b, buffer_b, warps) / columns;

#pragma unroll
  for (int i = 0; i < N; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    if (c < columns) my_dx[c] = sigma_inverse * (upstream[i] - a - normalized[i] * b);
  }
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  if (columns > 4096) {
    layernorm_dx_kernel<16><<<rows, 1024>>>(dy, x, gamma, mean, rstd, dx, columns);
  } else {
    const int threads = (columns + 8 * 32 - 1) / (8 * 32) * 32;  // 8 columns each, in whole warps
    layernorm_dx_kernel<8><<<rows, threads>>>(dy, x, gamma, mean, rstd, dx, columns);
  }
}
