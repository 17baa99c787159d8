// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: A column that runs on by 128 is brought back once, which rows of fewer columns need more often.
// SAYS: while
// NEVER: race|barrier
// HELD: no
// p05: add a bias, apply GELU in its erf form, and add the result to a residual, in one kernel.
//
//   out[r][c] = residual[r][c] + gelu(x[r][c] + bias[c])      x, residual, out [M,N]   bias [N]
//   gelu(v) = 0.5 v (1 + erf(v / sqrt(2)))                    the erf form, the exact one
//
// The matrix is taken as one long array here: a block has kChunk neighbours of it, wherever rows begin and
// end, so that no block has a short tile but the last one.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kPerThread = 4;
constexpr int kChunk = kThreads * kPerThread;
constexpr float kRootHalf = 0.70710678f;  // 1 / sqrt(2)

__device__ __forceinline__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * kRootHalf)); }

__global__ void __launch_bounds__(kThreads)
    bias_gelu_residual_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                              const float* __restrict__ residual, float* __restrict__ out, long total,
                              int columns) {
  const long start = static_cast<long>(blockIdx.x) * kChunk + threadIdx.x;
  int column = static_cast<int>(start % columns);  // one division; from here on it is counted along

  float of_x[kPerThread], of_residual[kPerThread], of_bias[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const long at = start + k * kThreads;
    if (at < total) {
      of_x[k] = x[at];
      of_residual[k] = residual[at];
      of_bias[k] = bias[column];
    }
    column += kThreads;
    if (column >= columns) column -= columns;
  }

#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const long at = start + k * kThreads;
    if (at < total) out[at] = of_residual[k] + gelu(of_x[k] + of_bias[k]);
  }
}

// x, residual, out: [rows, columns]; bias: [columns]; all in the GPU's memory, out apart from the others.
void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  const long total = static_cast<long>(rows) * columns;
  const unsigned blocks = static_cast<unsigned>((total + kChunk - 1) / kChunk);
  bias_gelu_residual_kernel<<<blocks, kThreads>>>(x, bias, residual, out, total, columns);
}
