// ENTRY: kernel
// CLASS: index
// CAUSE: A thread has one column of four rows, and for its r-th row it fetches the residual r columns further on in its first row (at + r) instead of r rows further down (at + r * columns).
// SAYS: residual
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kRows = 4;  // rows of a block: a thread has one column of them, so that its bias is loaded once

__device__ __forceinline__ float gelu_exact(float v) { return v * (0.5f + 0.5f * erff(v * 0.70710678f)); }

__global__ void __launch_bounds__(kThreads)
    fused_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                 const float* __restrict__ residual, float* __restrict__ out, int rows, int columns,
                 int across) {
  const int column = static_cast<int>(blockIdx.x) % across * kThreads + threadIdx.x;
  const int top = static_cast<int>(blockIdx.x) / across * kRows;
  if (column >= columns) return;

  const float b = bias[column];
  const size_t at = static_cast<size_t>(top) * columns + column;
  float v[kRows] = {}, keep[kRows] = {};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if (top + r < rows) {
      v[r] = x[at + static_cast<size_t>(r) * columns] + b;
      keep[r] = residual[at + r];
    }
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    if (top + r < rows) out[at + static_cast<size_t>(r) * columns] = keep[r] + gelu_exact(v[r]);
}

void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  const int across = (columns + kThreads - 1) / kThreads;
  const int down = (rows + kRows - 1) / kRows;
  fused_kernel<<<across * down, kThreads>>>(x, bias, residual, out, rows, columns, across);
}
