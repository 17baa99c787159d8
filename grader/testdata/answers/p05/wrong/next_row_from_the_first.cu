// ENTRY: kernel
// CLASS: index
// CAUSE: A float4 may cross a row's end: what is behind it takes the bias of column 0 instead of that of column c - columns.
// SAYS: columns|next row|begins? again
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

constexpr int kBlock = 256;
constexpr int kAhead = 2;  // float4s of each tensor that a thread has under way

__device__ __forceinline__ float activated(float v) {
  return 0.5f * v * (1.0f + erff(v * 0.70710678f));
}

// The bias for column c. A float4 may begin in one row and end in the next one.
__device__ __forceinline__ float bias_at(const float* __restrict__ bias, int c, int columns) {
  return bias[c < columns ? c : 0];
}

__device__ __forceinline__ void fused_one(const float* __restrict__ x, const float* __restrict__ bias,
                                          const float* __restrict__ residual, float* __restrict__ out,
                                          size_t at, int columns) {
  out[at] = residual[at] + activated(x[at] + bias[at % columns]);
}

// The matrices as one long run of floats: rows lie behind each other without a gap, so that the run can be cut
// into float4s whatever the number of columns is. kEven: all rows begin with a float4, the bias too.
template <bool kEven>
__global__ void __launch_bounds__(kBlock)
    fused_flat4(const float* __restrict__ x, const float* __restrict__ bias,
                const float* __restrict__ residual, float* __restrict__ out, size_t total, int columns) {
  const auto* x4 = reinterpret_cast<const float4*>(x);
  const auto* residual4 = reinterpret_cast<const float4*>(residual);
  const size_t quads = total / 4;
  const size_t first = static_cast<size_t>(blockIdx.x) * (kBlock * kAhead) + threadIdx.x;
  float4 v[kAhead], b[kAhead], r[kAhead];
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    const size_t at = first + k * kBlock;
    if (at < quads) {
      const int c = static_cast<int>(at * 4 % columns);
      v[k] = x4[at];
      r[k] = residual4[at];
      if constexpr (kEven)
        b[k] = *reinterpret_cast<const float4*>(bias + c);
      else
        b[k] = make_float4(bias_at(bias, c, columns), bias_at(bias, c + 1, columns),
                           bias_at(bias, c + 2, columns), bias_at(bias, c + 3, columns));
    }
  }
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    const size_t at = first + k * kBlock;
    if (at < quads)
      reinterpret_cast<float4*>(out)[at] =
          make_float4(r[k].x + activated(v[k].x + b[k].x), r[k].y + activated(v[k].y + b[k].y),
                      r[k].z + activated(v[k].z + b[k].z), r[k].w + activated(v[k].w + b[k].w));
  }
  // The end of the run: up to three floats.
  const size_t rest = quads * 4 + threadIdx.x;
  if (blockIdx.x == 0 && rest < total) fused_one(x, bias, residual, out, rest, columns);
}

// One float a thread, for pointers that float4 cannot have.
__global__ void __launch_bounds__(kBlock)
    fused_scalar(const float* __restrict__ x, const float* __restrict__ bias,
                 const float* __restrict__ residual, float* __restrict__ out, size_t total, int columns) {
  const size_t at = static_cast<size_t>(blockIdx.x) * kBlock + threadIdx.x;
  if (at < total) fused_one(x, bias, residual, out, at, columns);
}

// x, residual, out: [rows, columns]; bias: [columns]; all in the GPU's memory, out apart from the others.
void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  const size_t total = static_cast<size_t>(rows) * columns;
  const auto odd = [](const float* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(float4) != 0; };
  const bool vectors = !odd(x) && !odd(residual) && !odd(out);
  const size_t of_block = vectors ? 4 * kBlock * kAhead : kBlock;  // floats
  const auto kernel = !vectors                          ? fused_scalar
                      : columns % 4 == 0 && !odd(bias) ? fused_flat4<true>
                                                        : fused_flat4<false>;
  kernel<<<static_cast<unsigned>((total + of_block - 1) / of_block), kBlock>>>(x, bias, residual, out, total,
                                                                               columns);
}
