// ENTRY: kernel
// CLASS: scaling
// CAUSE: The warps' means are averaged as if each warp had equally many values.
// SAYS: \bn\b|weigh|times
// NEVER: race|NaN
// HELD: no
// p13: LayerNorm, top of the ladder: the row stays in registers, and x is read once.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
//
// Fill in `load_row`, `statistics`, `store_row` and `launch`. A group of threads has a row: a warp, or a
// whole block where rows are wide. Each thread loads its share of the row once, all of it before the first
// use, and still has it when the mean is known. A row is counted in pieces: of 16 bytes (float4) where all
// rows begin at a multiple of 16 bytes, else of 4 (float).
//
//   pieces     0 .. 31   32 .. 63   64 .. 95       thread t of a group of 32 keeps
//   kept[i]     i = 0      i = 1      i = 2        pieces t, t + 32, t + 64, ...
//
//   grader p13     grader hint p13     grader lesson p13
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cuda_runtime.h>

#include <cstdint>

// What is known of some values: how many, their mean, and their squares around it.
struct Stat {
  float n, mean, squares;
};

// Of both together (Chan, Golub, LeVeque).
__device__ __forceinline__ Stat both(const Stat a, const Stat b) {
  const float n = a.n + b.n;
  if (n == 0.0f) return a;
  const float d = b.mean - a.mean, part = b.n / n;
  return {n, a.mean + d * part, a.squares + b.squares + d * d * a.n * part};
}

__device__ __forceinline__ float square(float v) { return v * v; }

// Of the values of one piece.
__device__ __forceinline__ Stat stat_of(float v) { return {1.0f, v, 0.0f}; }
__device__ __forceinline__ Stat stat_of(float4 v) {
  const float mean = 0.25f * ((v.x + v.y) + (v.z + v.w));
  return {4.0f, mean,
          (square(v.x - mean) + square(v.y - mean)) + (square(v.z - mean) + square(v.w - mean))};
}

__device__ __forceinline__ float answer(float v, float mean, float rstd, float g, float b) {
  return (v - mean) * rstd * g + b;
}
__device__ __forceinline__ float4 answer(float4 v, float m, float s, float4 g, float4 b) {
  return make_float4(answer(v.x, m, s, g.x, b.x), answer(v.y, m, s, g.y, b.y), answer(v.z, m, s, g.z, b.z),
                     answer(v.w, m, s, g.w, b.w));
}

// A block for each row, narrow ones too. Thread t keeps pieces t, t + kBlock, ..., kKeep of them; what a row
// has beyond those is read a second time. Both statistics are found together, with a single barrier.
template <typename Piece, int kBlock, int kKeep>
__global__ void __launch_bounds__(kBlock)
    normalize_rows(const Piece* __restrict__ x, const Piece* __restrict__ gamma, const Piece* __restrict__ beta,
                   Piece* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd, int pieces,
                   int columns, float eps) {
  constexpr int kWarps = kBlock / 32;
  __shared__ Stat of_warp[kWarps];
  const size_t row = blockIdx.x;
  const int t = threadIdx.x;
  const Piece* const x_row = x + row * pieces;
  Piece* const out_row = out + row * pieces;

  Piece kept[kKeep];
#pragma unroll
  for (int i = 0; i < kKeep; ++i)
    if (t + i * kBlock < pieces) kept[i] = __ldcs(x_row + t + i * kBlock);

  Stat mine = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int i = 0; i < kKeep; ++i)
    if (t + i * kBlock < pieces) mine = both(mine, stat_of(kept[i]));
  for (int p = t + kKeep * kBlock; p < pieces; p += kBlock) mine = both(mine, stat_of(x_row[p]));

  // The lanes of a warp ...
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) {
    Stat other;
    other.n = __shfl_xor_sync(~0u, mine.n, d);
    other.mean = __shfl_xor_sync(~0u, mine.mean, d);
    other.squares = __shfl_xor_sync(~0u, mine.squares, d);
    mine = both(mine, other);
  }
  if (t % 32 == 0) of_warp[t / 32] = mine;
  __syncthreads();

  // ... and the warps of the block: each thread for itself, in the same order, so that all have the same.
  float row_mean = 0.0f, squares = 0.0f;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) row_mean += of_warp[w].mean;
  row_mean /= kWarps;
#pragma unroll
  for (int w = 0; w < kWarps; ++w)
    squares += of_warp[w].squares + of_warp[w].n * square(of_warp[w].mean - row_mean);
  const float row_rstd = rsqrtf(squares / columns + eps);

  if (t == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
#pragma unroll
  for (int i = 0; i < kKeep; ++i) {
    const int p = t + i * kBlock;
    if (p < pieces) __stcs(out_row + p, answer(kept[i], row_mean, row_rstd, gamma[p], beta[p]));
  }
  for (int p = t + kKeep * kBlock; p < pieces; p += kBlock)
    out_row[p] = answer(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
}

template <typename Piece, int kBlock, int kKeep>
void run(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd, int rows,
         int columns, float eps) {
  const auto in = [](const float* p) { return reinterpret_cast<const Piece*>(p); };
  normalize_rows<Piece, kBlock, kKeep><<<rows, kBlock>>>(
      in(x), in(gamma), in(beta), reinterpret_cast<Piece*>(out), mean, rstd,
      columns / static_cast<int>(sizeof(Piece) / sizeof(float)), columns, eps);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(gamma) |
                     reinterpret_cast<std::uintptr_t>(beta) | reinterpret_cast<std::uintptr_t>(out);
  const bool aligned = columns % 4 == 0 && bases % sizeof(float4) == 0;
  const auto chosen = aligned ? (columns <= 4 * 128       ? run<float4, 64, 2>
                                 : columns <= 4 * 64 * 3  ? run<float4, 64, 3>
                                 : columns <= 4 * 256 * 4 ? run<float4, 256, 4>
                                                          : run<float4, 512, 8>)
                              : (columns <= 64 * 4    ? run<float, 64, 4>
                                 : columns <= 256 * 8 ? run<float, 256, 8>
                                                      : run<float, 512, 16>);
  chosen(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
