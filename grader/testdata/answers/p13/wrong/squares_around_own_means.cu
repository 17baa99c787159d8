// ENTRY: kernel
// CLASS: missing-term
// CAUSE: each thread has its squares around its own mean, and the distances of these are in no sum
// SAYS: distance of two means
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

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// What is done with a piece, whichever it is.
__device__ float total(float v) { return v; }
__device__ float total(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ float squares(float v, float mean) { return (v - mean) * (v - mean); }
__device__ float squares(float4 v, float mean) {
  return (squares(v.x, mean) + squares(v.y, mean)) + (squares(v.z, mean) + squares(v.w, mean));
}
__device__ float normalized(float v, float mean, float rstd, float gamma, float beta) {
  return (v - mean) * rstd * gamma + beta;
}
__device__ float4 normalized(float4 v, float m, float s, float4 g, float4 b) {
  return {normalized(v.x, m, s, g.x, b.x), normalized(v.y, m, s, g.y, b.y), normalized(v.z, m, s, g.z, b.z),
          normalized(v.w, m, s, g.w, b.w)};
}

// The sum of `value` over the group, for each of its threads. All of them must call it; a group of several
// warps is a block, needs room for a float per warp, and other room for each call.
template <int kGroup>
__device__ float group_sum(float value, float* partial) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  if constexpr (kGroup > kWarp) {
    constexpr int kWarps = kGroup / kWarp;
    const int lane = threadIdx.x % kWarp;
    if (lane == 0) partial[threadIdx.x / kWarp] = value;
    __syncthreads();
    value = partial[lane % kWarps];
    for (int distance = kWarps / 2; distance > 0; distance /= 2)
      value += __shfl_xor_sync(kAllLanes, value, distance);
  }
  return value;
}

// Threads of a block: the group's, or those of four groups of a warp each.
template <int kGroup>
constexpr int kThreads = kGroup > kWarp ? kGroup : 4 * kWarp;

// x, out: [rows, pieces]; gamma, beta: [pieces]. A group of kGroup threads has a row, and each of them keeps
// kShare pieces; what a longer row has beyond kGroup * kShare pieces is read again.
template <typename Piece, int kGroup, int kShare>
__global__ void __launch_bounds__(kThreads<kGroup>)
    layernorm_kernel(const Piece* __restrict__ x, const Piece* __restrict__ gamma,
                     const Piece* __restrict__ beta, Piece* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int pieces, int columns, float eps) {
  constexpr int kRowsPerBlock = kThreads<kGroup> / kGroup;
  [[maybe_unused]] __shared__ float partial[2][kGroup / kWarp];  // of both sums
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kGroup;
  if (row >= rows) return;  // whole warps, and none in a block of one group
  [[maybe_unused]] const int thread = threadIdx.x % kGroup;
  [[maybe_unused]] const Piece* x_row = x + static_cast<size_t>(row) * pieces;
  [[maybe_unused]] Piece* out_row = out + static_cast<size_t>(row) * pieces;
  [[maybe_unused]] Piece kept[kShare];
  [[maybe_unused]] float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set kept[i] to piece thread + i * kGroup of the row, to zeros where the row has no such piece.
  // FILL ME IN: load_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = i * kGroup + thread;
    kept[i] = p < pieces ? x_row[p] : Piece{};
  }
  // END: load_row

  // Must set row_mean and row_rstd in every thread, and store them, once.
  // FILL ME IN: statistics (roughly 18 lines)
  constexpr int kWidth = sizeof(Piece) / sizeof(float);  // columns of a piece
  // First what this thread has: how many columns, their sum, and their squares.
  int count = 0;
  float own_sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    if (i * kGroup + thread < pieces) {
      own_sum += total(kept[i]);
      count += kWidth;
    }
  }
#pragma unroll 1
  for (int p = kShare * kGroup + thread; p < pieces; p += kGroup) {
    own_sum += total(x_row[p]);
    count += kWidth;
  }
  const float own_mean = count > 0 ? own_sum / count : 0.0f;
  float own_squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (i * kGroup + thread < pieces) own_squares += squares(kept[i], own_mean);
#pragma unroll 1
  for (int p = kShare * kGroup + thread; p < pieces; p += kGroup) own_squares += squares(x_row[p], own_mean);
  // Then the group's.
  row_mean = group_sum<kGroup>(own_sum, partial[0]) / columns;
  row_rstd = 1.0f / sqrtf(group_sum<kGroup>(own_squares, partial[1]) / columns + eps);
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Must write every piece of the row.
  // FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = i * kGroup + thread;
    if (p < pieces) out_row[p] = normalized(kept[i], row_mean, row_rstd, gamma[p], beta[p]);
  }
#pragma unroll 1
  for (int p = kShare * kGroup + thread; p < pieces; p += kGroup)
    out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
  // END: store_row
}

template <typename Piece, int kGroup, int kShare>
void launch_kernel(const float* x, const float* gamma, const float* beta, float* out, float* mean,
                   float* rstd, int rows, int columns, float eps) {
  constexpr int kBlock = kThreads<kGroup>, kRowsPerBlock = kBlock / kGroup;
  const int pieces = columns / static_cast<int>(sizeof(Piece) / sizeof(float));
  layernorm_kernel<Piece, kGroup, kShare><<<(rows + kRowsPerBlock - 1) / kRowsPerBlock, kBlock>>>(
      reinterpret_cast<const Piece*>(x), reinterpret_cast<const Piece*>(gamma),
      reinterpret_cast<const Piece*>(beta), reinterpret_cast<Piece*>(out), mean, rstd, rows, pieces, columns,
      eps);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(gamma) |
                     reinterpret_cast<std::uintptr_t>(beta) | reinterpret_cast<std::uintptr_t>(out);
  [[maybe_unused]] const bool aligned = columns % 4 == 0 && bases % sizeof(float4) == 0;
  [[maybe_unused]] decltype(&launch_kernel<float, 32, 1>) launch = nullptr;
  // Must set `launch`, say to launch_kernel<float4, 32, 6>, which keeps the row.
  // No larger than it must be: a share that is not needed costs registers all the same.
  // FILL ME IN: launch (roughly 18 lines)
  if (aligned) {
    const int quads = columns / 4;
    if (quads <= 32)
      launch = launch_kernel<float4, 32, 1>;
    else if (quads <= 32 * 4)
      launch = launch_kernel<float4, 32, 4>;
    else if (quads <= 32 * 6)
      launch = launch_kernel<float4, 32, 6>;
    else if (quads <= 256 * 2)
      launch = launch_kernel<float4, 256, 2>;
    else if (quads <= 256 * 4)
      launch = launch_kernel<float4, 256, 4>;
    else
      launch = launch_kernel<float4, 1024, 4>;
  } else {
    if (columns <= 32 * 4)
      launch = launch_kernel<float, 32, 4>;
    else if (columns <= 32 * 16)
      launch = launch_kernel<float, 32, 16>;
    else if (columns <= 256 * 8)
      launch = launch_kernel<float, 256, 8>;
    else if (columns <= 256 * 16)
      launch = launch_kernel<float, 256, 16>;
    else
      launch = launch_kernel<float, 1024, 8>;
  }
  // END: launch
  if (launch) launch(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
