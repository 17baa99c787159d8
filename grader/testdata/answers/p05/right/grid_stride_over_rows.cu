// STYLE: templates over float4 and float, blocks of 192, rows in the grid's y with a stride
// p05: out = residual + gelu(x + bias), in one kernel.
//
// A grid-stride loop over rows in y, tiles of pieces in x; a piece is a float4 where everything is aligned.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 192;

__device__ __forceinline__ float gelu(float v) {
  const float half = 0.5f * v;
  return fmaf(half, erff(v * 0.70710678f), half);
}

__device__ __forceinline__ float blend(float x, float bias, float residual) {
  return residual + gelu(x + bias);
}
__device__ __forceinline__ float4 blend(float4 x, float4 b, float4 r) {
  return make_float4(blend(x.x, b.x, r.x), blend(x.y, b.y, r.y), blend(x.z, b.z, r.z), blend(x.w, b.w, r.w));
}

// x, residual, out: [rows, pieces]; bias: [pieces]. Each thread has kPer pieces, a block apart.
template <typename Piece, int kPer>
__global__ void __launch_bounds__(kThreads)
    rows_kernel(const Piece* __restrict__ x, const Piece* __restrict__ bias, const Piece* __restrict__ residual,
                Piece* __restrict__ out, int rows, int pieces) {
  const int mine = blockIdx.x * (kThreads * kPer) + threadIdx.x;
  for (int r = blockIdx.y; r < rows; r += gridDim.y) {
    const size_t row = static_cast<size_t>(r) * pieces;
    Piece of_x[kPer], of_residual[kPer], of_bias[kPer];
#pragma unroll
    for (int i = 0; i < kPer; ++i) {
      const int p = mine + i * kThreads;
      const bool there = p < pieces;
      of_x[i] = there ? x[row + p] : Piece{};
      of_bias[i] = there ? bias[p] : Piece{};
      of_residual[i] = there ? residual[row + p] : Piece{};
    }
#pragma unroll
    for (int i = 0; i < kPer; ++i) {
      const int p = mine + i * kThreads;
      if (p < pieces) out[row + p] = blend(of_x[i], of_bias[i], of_residual[i]);
    }
  }
}

template <typename Piece, int kPer>
void launch_rows(const float* x, const float* bias, const float* residual, float* out, int rows, int columns) {
  const int pieces = columns / static_cast<int>(sizeof(Piece) / sizeof(float));
  constexpr int kSpan = kThreads * kPer;
  const dim3 grid((pieces + kSpan - 1) / kSpan, rows < 65535 ? rows : 65535);
  rows_kernel<Piece, kPer><<<grid, kThreads>>>(
      reinterpret_cast<const Piece*>(x), reinterpret_cast<const Piece*>(bias),
      reinterpret_cast<const Piece*>(residual), reinterpret_cast<Piece*>(out), rows, pieces);
}

// x, residual, out: [rows, columns]; bias: [columns]; all in the GPU's memory, out apart from the others.
void bias_gelu_residual(const float* x, const float* bias, const float* residual, float* out, int rows,
                        int columns) {
  if (rows <= 0 || columns <= 0) return;
  const auto bits = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(bias) |
                    reinterpret_cast<std::uintptr_t>(residual) | reinterpret_cast<std::uintptr_t>(out);
  if (columns % 4 == 0 && bits % sizeof(float4) == 0)
    launch_rows<float4, 1>(x, bias, residual, out, rows, columns);
  else
    launch_rows<float, 4>(x, bias, residual, out, rows, columns);
}
