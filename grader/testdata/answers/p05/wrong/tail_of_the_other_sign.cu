// ENTRY: kernel
// CLASS: scaling
// CAUSE: the tail is multiplied with the value and not with its size
// SAYS: fabsf
// p05: add a bias, apply GELU in its erf form, and add the result to a residual, in one kernel.
//
//   out[r][c] = residual[r][c] + gelu(x[r][c] + bias[c])      x, residual, out [M,N]   bias [N]
//   gelu(v) = 0.5 v (1 + erf(v / sqrt(2)))                    the erf form, the exact one
//
// Fill in `gelu_erf` and `fused`, then run:  grader p05
//
//   gelu_erf  GELU of one value. CUDA's erf for floats is called erff; 0.70710678 is 1 / sqrt(2).
//   fused     a thread's columns: load what all of them need, and only then compute and store
//
// p04 had one tensor to read, and GELU's other form. What does a second tensor cost a fused kernel, and what
// would it cost as a kernel of its own? Count both before you look.
//
//   grader lesson p05     grader hint p05
//
// All of this file is yours to change, the launch too; only the last function keeps its name and parameters.
#include <cuda_runtime.h>

constexpr int kThreads = 128;  // of a block
constexpr int kPerThread = 4;  // columns that one thread has in flight
constexpr int kTile = kThreads * kPerThread;
[[maybe_unused]] constexpr float kRootHalf = 0.70710678f;  // 1 / sqrt(2)

// GELU of one value, in the erf form.
__device__ float gelu(float v) {
  float result = 0.0f;
  // FILL ME IN: gelu_erf (roughly 1 line)
  // v Phi(v) from the tail of |v|: no branch on the sign of v.
  const float tail = 0.5f - 0.5f * erff(fabsf(v) * kRootHalf);
  result = fmaxf(v, 0.0f) + v * tail;
  // END: gelu_erf
  return result;
}

// A block for kTile columns of one row; neighbouring blocks have neighbouring tiles.
__global__ void bias_gelu_residual_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                                          const float* __restrict__ residual, float* __restrict__ out,
                                          int columns) {
  const int tiles = (columns + kTile - 1) / kTile;  // of a row
  [[maybe_unused]] const size_t row = static_cast<size_t>(blockIdx.x / tiles) * columns;
  [[maybe_unused]] const int first = blockIdx.x % tiles * kTile + threadIdx.x;  // this thread's first column
  // FILL ME IN: fused (roughly 14 lines)
  const int left = columns - first;  // columns from this thread's first one on
  const size_t at = row + first;
  float a[kPerThread] = {}, b[kPerThread] = {}, r[kPerThread] = {};
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int step = i * kThreads;
    if (step < left) a[i] = x[at + step], b[i] = bias[first + step], r[i] = residual[at + step];
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int step = i * kThreads;
    if (step < left) out[at + step] = gelu(a[i] + b[i]) + r[i];
  }
  // END: fused
}

// x, residual, out: [rows, columns]; bias: [columns]; all in the GPU's memory, out apart from the others.
void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  const int tiles = (columns + kTile - 1) / kTile;
  bias_gelu_residual_kernel<<<rows * tiles, kThreads>>>(x, bias, residual, out, columns);
}
