// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The published formula as it is handed out: gamma outside the means.
// SAYS: gamma
// SAYS: outside|published|means|inside
// NEVER: \brace\b
// HELD: no
#include <cuda_runtime.h>

constexpr int kThreads = 512, kMost = 32;

__global__ void __launch_bounds__(kThreads) published(const float* dy, const float* x, const float* gamma, const float* mean,
                          const float* rstd, float* dx, int columns) {
  __shared__ float first[kThreads / 32], second[kThreads / 32];
  const float* dy_row = dy + static_cast<size_t>(blockIdx.x) * columns;
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: load_row (roughly 5 lines)
  float d[kMost], xhat[kMost], s = 0, t = 0;
#pragma unroll
  for (int i = 0; i < kMost; ++i) {
    const int c = threadIdx.x + i * kThreads;
    d[i] = c < columns ? dy_row[c] : 0.0f;
    xhat[i] = c < columns ? (x_row[c] - mean[blockIdx.x]) * rstd[blockIdx.x] : 0.0f;
    s += d[i];
    t += d[i] * xhat[i];
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int k = 16; k > 0; k /= 2) {
    s += __shfl_xor_sync(0xffffffff, s, k);
    t += __shfl_xor_sync(0xffffffff, t, k);
  }
  if (threadIdx.x % 32 == 0) first[threadIdx.x / 32] = s, second[threadIdx.x / 32] = t;
  __syncthreads();
  s = t = 0;
  for (int w = 0; w < kThreads / 32; ++w) s += first[w], t += second[w];
  // END: means
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kMost; ++i) {
    const int c = threadIdx.x + i * kThreads;
    if (c < columns)
      dx[static_cast<size_t>(blockIdx.x) * columns + c] =
          rstd[blockIdx.x] * gamma[c] * (d[i] - s / columns - xhat[i] * t / columns);
  }
// END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  published<<<rows, kThreads>>>(dy, x, gamma, mean, rstd, dx, columns);
}
