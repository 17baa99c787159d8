// ENTRY: kernel
// CLASS: tail
// CAUSE: Four columns at a time are chosen where all elements are a multiple of 4; the rows have to be.
// SAYS: columns % 4|multiple of 4|\brows?\b
// NEVER: race|barrier
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

#include <cstdint>

constexpr int kThreads = 128;  // of a block
constexpr int kPerThread = 2;  // pieces that one thread has in flight
constexpr int kTile = kThreads * kPerThread;
[[maybe_unused]] constexpr float kRootHalf = 0.70710678f;  // 1 / sqrt(2)

// GELU of one value, in the erf form.
__device__ float gelu(float v) {
  float result = 0.0f;
  // FILL ME IN: gelu_erf (roughly 1 line)
  result = 0.5f * v * (1.0f + erff(kRootHalf * v));
  // END: gelu_erf
  return result;
}

__device__ float4 gelu(float4 v) { return {gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w)}; }
__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// A block for kTile pieces of one row; neighbouring blocks have neighbouring tiles. A piece is a float or a
// float4, and a row has so many of them.
template <typename Piece>
__global__ void __launch_bounds__(kThreads)
    bias_gelu_residual_kernel(const Piece* __restrict__ x, const Piece* __restrict__ bias,
                              const Piece* __restrict__ residual, Piece* __restrict__ out, int pieces) {
  const int tiles = (pieces + kTile - 1) / kTile;  // of a row
  const size_t row = static_cast<size_t>(blockIdx.x / tiles) * pieces;
  const int first = blockIdx.x % tiles * kTile + threadIdx.x;  // this thread's first piece
  // FILL ME IN: fused (roughly 14 lines)
  Piece sum[kPerThread], kept[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int p = first + i * kThreads;
    if (p < pieces) {
      sum[i] = add(x[row + p], bias[p]);
      kept[i] = residual[row + p];
    }
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int p = first + i * kThreads;
    if (p < pieces) out[row + p] = add(kept[i], gelu(sum[i]));
  }
  // END: fused
}

// x, residual, out: [rows, columns]; bias: [columns]; all in the GPU's memory, out apart from the others.
void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(bias) |
                     reinterpret_cast<std::uintptr_t>(residual) | reinterpret_cast<std::uintptr_t>(out);
  const long count = static_cast<long>(rows) * columns;
  if (count % 4 == 0 && bases % sizeof(float4) == 0) {
    const int pieces = columns / 4;
    const int tiles = (pieces + kTile - 1) / kTile;
    bias_gelu_residual_kernel<float4><<<rows * tiles, kThreads>>>(
        reinterpret_cast<const float4*>(x), reinterpret_cast<const float4*>(bias),
        reinterpret_cast<const float4*>(residual), reinterpret_cast<float4*>(out), pieces);
  } else {
    const int tiles = (columns + kTile - 1) / kTile;
    bias_gelu_residual_kernel<float><<<rows * tiles, kThreads>>>(x, bias, residual, out, columns);
  }
}
