// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Grid and block stand in each other's place at the launch.
// SAYS: grid and block exchanged
// NEVER: barrier|one is taken for the other
// HELD: no
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
  result = v * normcdff(v);  // the normal distribution's: (1 + erf(v / sqrt(2))) / 2
  // END: gelu_erf
  return result;
}

// A block has kTile columns of row blockIdx.y, and of every gridDim.y-th after it: their bias it asks for once.
__global__ void bias_gelu_residual_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                                          const float* __restrict__ residual, float* __restrict__ out,
                                          int rows, int columns) {
  const int first = blockIdx.x * kTile + threadIdx.x;  // this thread's first column
  // FILL ME IN: fused (roughly 14 lines)
  float add[kPerThread];
  const auto each = [&](auto&& what) {
#pragma unroll
    for (int i = 0; i < kPerThread; ++i)
      if (const int c = first + i * kThreads; c < columns) what(i, c);
  };
  each([&](int i, int c) { add[i] = __ldg(bias + c); });
#pragma unroll 1
  for (int r = blockIdx.y; r < rows; r += gridDim.y) {
    const size_t row = static_cast<size_t>(r) * columns;
    float value[kPerThread], skip[kPerThread];
    each([&](int i, int c) { value[i] = __ldcs(x + row + c); });
    each([&](int i, int c) { skip[i] = __ldcs(residual + row + c); });
    each([&](int i, int c) { out[row + c] = skip[i] + gelu(value[i] + add[i]); });
  }
  // END: fused
}

// x, residual, out: [rows, columns]; bias: [columns]; all in the GPU's memory, out apart from the others.
void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  const int tiles = (columns + kTile - 1) / kTile;
  const dim3 grid(tiles, rows < 4096 ? rows : 4096);
  bias_gelu_residual_kernel<<<kThreads, grid>>>(x, bias, residual, out, rows, columns);
}
