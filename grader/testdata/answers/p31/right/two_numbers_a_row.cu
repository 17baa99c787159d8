// STYLE: a kernel of its own: floats, a block per row, the terms folded into two numbers a row
// A block per row, floats one by one. dx = rstd g + a (x - mean) + b, with two numbers a and b for a row.
#include <cuda_runtime.h>

template <int kThreads>
__device__ float2 reduce(float2 v) {
  __shared__ float2 slots[kThreads / 32];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    v.x += __shfl_xor_sync(0xffffffffu, v.x, d);
    v.y += __shfl_xor_sync(0xffffffffu, v.y, d);
  }
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = v;
  __syncthreads();
  v = make_float2(0.0f, 0.0f);
#pragma unroll
  for (int w = 0; w < kThreads / 32; ++w) {
    v.x += slots[w].x;
    v.y += slots[w].y;
  }
  return v;
}

template <int kThreads, int kKeep>
__global__ void __launch_bounds__(kThreads)
    layernorm_dx(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ gamma,
              const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ dx,
              int columns) {
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  const float m = mean[blockIdx.x], r = rstd[blockIdx.x];
  float g[kKeep], centred[kKeep];
  float2 sums = {0.0f, 0.0f};
#pragma unroll
  for (int i = 0; i < kKeep; ++i) {
    const int c = threadIdx.x + i * kThreads;
    const bool there = c < columns;
    g[i] = there ? dy[begin + c] * gamma[c] : 0.0f;
    centred[i] = there ? x[begin + c] - m : 0.0f;
    sums.x += g[i];
    sums.y += g[i] * centred[i];
  }
  sums = reduce<kThreads>(sums);
  const float a = -r * r * r * sums.y / columns;
  const float b = -r * sums.x / columns;
#pragma unroll
  for (int i = 0; i < kKeep; ++i) {
    const int c = threadIdx.x + i * kThreads;
    if (c < columns) dx[begin + c] = fmaf(a, centred[i], fmaf(r, g[i], b));
  }
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  if (columns <= 512)
    layernorm_dx<64, 8><<<rows, 64>>>(dy, x, gamma, mean, rstd, dx, columns);
  else if (columns <= 2048)
    layernorm_dx<256, 8><<<rows, 256>>>(dy, x, gamma, mean, rstd, dx, columns);
  else if (columns <= 8192)
    layernorm_dx<1024, 8><<<rows, 1024>>>(dy, x, gamma, mean, rstd, dx, columns);
  else
    layernorm_dx<1024, 16><<<rows, 1024>>>(dy, x, gamma, mean, rstd, dx, columns);
}
