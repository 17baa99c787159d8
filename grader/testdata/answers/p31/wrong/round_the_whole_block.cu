// ENTRY: kernel
// CLASS: index
// CAUSE: Partial sums are taken round the whole block and not round the warps of the own row.
// SAYS: kWide|own row|group
// NEVER: race|barrier
// HELD: no
// p31 layernorm_backward_dx: the way back through LayerNorm, from dy, the gradient of the loss with respect
// to y, to dx, the one with respect to x.
//
//   forward    xhat[r][c] = (x[r][c] - mean[r]) * rstd[r]      y[r][c] = xhat[r][c] * gamma[c] + beta[c]
//   x, dy, dx [M,N]   gamma [N]   mean, rstd [M]: those that the forward pass saved
//
// What the internet says, means being taken over the N columns of a row:
//
//   dx = rstd * gamma * (dy - mean(dy) - xhat * mean(dy * xhat))        <-- suspect
//
// It has been published, and copied, and it is not to be trusted: some of the cases here pass with it, and
// most do not. Find out what is wrong with it (the lesson has two tests for any such formula, and a short
// way to the right one), and fill in the right one:
//
//   load_row    what a thread keeps of its columns, in registers: all loads before the first use
//   means       the two means over the row
//   store_row   dx
//
// As in p13 a group of threads has a row, a warp or a block, and a row is counted in pieces: of 16
// bytes (float4) where all rows begin at a multiple of 16 bytes, else of 4 (float). + - * work on both.
//
//   grader p31     grader hint p31     grader lesson p31
//
// All of this file is yours to change; only `layernorm_backward_dx` keeps its name and its parameters.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLanes = 32;

// f on one number, or on each of four.
template <typename F>
__device__ __forceinline__ float each(float a, float b, F f) {
  return f(a, b);
}
template <typename F>
__device__ __forceinline__ float4 each(float4 a, float4 b, F f) {
  return make_float4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
}
__device__ __forceinline__ float all_of(float v) { return v; }
__device__ __forceinline__ float all_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }

// kWide warps have a row; a block has 8 warps, or as many as a row takes if that is more. So a block may have
// several rows, which meet in its one barrier: nobody leaves before that.
template <int kWide>
constexpr int kWarpsOf = kWide > 8 ? kWide : 8;

template <typename Piece, int kWide, int kKeep>
__global__ void __launch_bounds__(kLanes* kWarpsOf<kWide>)
    dx_kernel(const Piece* __restrict__ dy, const Piece* __restrict__ x, const Piece* __restrict__ gamma,
              const float* __restrict__ mean, const float* __restrict__ rstd, Piece* __restrict__ dx, int rows,
              int pieces, float one_over_n) {
  constexpr int kWarps = kWarpsOf<kWide>, kRows = kWarps / kWide, kThreadsOfRow = kLanes * kWide;
  const int warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  const int row = blockIdx.x * kRows + warp / kWide, first = threadIdx.x % kThreadsOfRow;
  const bool there = row < rows;
  const size_t start = there ? static_cast<size_t>(row) * pieces : 0;
  const float mu = there ? mean[row] : 0.0f, scale = there ? rstd[row] : 0.0f;
  const auto has = [&](int i) { return there && first + i * kThreadsOfRow < pieces; };

  // g = dy gamma is what arrives at xhat; centred is x - mean. Both are kept.
  Piece g[kKeep] = {}, centred[kKeep] = {}, weight[kKeep] = {};
#pragma unroll
  for (int i = 0; i < kKeep; ++i) {
    if (!has(i)) continue;
    const int p = first + i * kThreadsOfRow;
    g[i] = dy[start + p];
    centred[i] = x[start + p];
    weight[i] = gamma[p];
  }
  float2 sums = make_float2(0.0f, 0.0f);
#pragma unroll
  for (int i = 0; i < kKeep; ++i) {
    g[i] = each(g[i], weight[i], [](float a, float b) { return a * b; });
    centred[i] = each(centred[i], centred[i], [mu](float a, float) { return a - mu; });
    const Piece product = each(g[i], centred[i], [](float a, float b) { return a * b; });
    sums = sums + make_float2(all_of(g[i]), all_of(product));  // 0 where g is 0
  }
#pragma unroll
  for (int d = kLanes / 2; d > 0; d /= 2)
    sums = sums + make_float2(__shfl_xor_sync(~0u, sums.x, d), __shfl_xor_sync(~0u, sums.y, d));

  if constexpr (kWide > 1) {
    __shared__ float2 of_warp[kWarps];
    if (lane == 0) of_warp[warp] = sums;
    __syncthreads();
    // The kWide warps of a row, from the own one on and round.
#pragma unroll
    for (int w = 1; w < kWide; ++w) sums = sums + of_warp[(warp + w) % kWarps];
  }

  const float mean_g = sums.x * one_over_n;
  const float slope = sums.y * one_over_n * scale * scale;  // mean(g xhat) rstd: xhat = centred rstd
#pragma unroll
  for (int i = 0; i < kKeep; ++i)
    if (has(i))
      dx[start + first + i * kThreadsOfRow] = each(
          g[i], centred[i], [=](float a, float c) { return scale * (a - mean_g - c * slope); });
}

template <typename Piece, int kWide, int kKeep>
static void go(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
               float* dx, int rows, int columns) {
  constexpr int kWarps = kWarpsOf<kWide>, kRows = kWarps / kWide;
  const auto as = [](const float* p) { return reinterpret_cast<const Piece*>(p); };
  dx_kernel<Piece, kWide, kKeep><<<(rows + kRows - 1) / kRows, kLanes * kWarps>>>(
      as(dy), as(x), as(gamma), mean, rstd, reinterpret_cast<Piece*>(dx), rows,
      columns / static_cast<int>(sizeof(Piece) / sizeof(float)), 1.0f / static_cast<float>(columns));
}

// dy, x, dx: [rows, columns]; gamma: [columns]; mean, rstd: [rows]; device memory. Rows of 1 to 16384
// columns.
void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  const auto bases = reinterpret_cast<std::uintptr_t>(dy) | reinterpret_cast<std::uintptr_t>(x) |
                     reinterpret_cast<std::uintptr_t>(gamma) | reinterpret_cast<std::uintptr_t>(dx);
  const bool fours = columns % 4 == 0 && bases % sizeof(float4) == 0;
  auto run = go<float, 32, 16>;
  if (fours)
    run = columns <= 128    ? go<float4, 1, 1>
          : columns <= 512  ? go<float4, 2, 2>
          : columns <= 768  ? go<float4, 2, 3>
          : columns <= 4096 ? go<float4, 8, 4>
                            : go<float4, 32, 4>;
  else if (columns <= 256)
    run = go<float, 2, 4>;
  else if (columns <= 2048)
    run = go<float, 8, 8>;
  run(dy, x, gamma, mean, rstd, dx, rows, columns);
}
