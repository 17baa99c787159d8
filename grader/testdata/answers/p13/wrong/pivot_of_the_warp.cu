// ENTRY: kernel
// CLASS: index
// CAUSE: The origin of the distances is handed out by a shuffle, which reaches one warp, and groups of several warps add up all of them.
// SAYS: x_row
// NEVER: __shfl_sync\(kAllLanes, 0
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
    const int p = thread + i * kGroup;
    kept[i] = p < pieces ? x_row[p] : Piece{};
  }
  // END: load_row

  // Must set row_mean and row_rstd in every thread, and store them, once.
  // FILL ME IN: statistics (roughly 18 lines)
  // Sum up distances from a value of the row instead of the values: small numbers keep all their bits.
  const auto from_pivot = [](Piece v, float pivot) {
    if constexpr (sizeof(Piece) == sizeof(float)) return v - pivot;
    else return ((v.x - pivot) + (v.y - pivot)) + ((v.z - pivot) + (v.w - pivot));
  };
  const float pivot = __shfl_sync(kAllLanes, *reinterpret_cast<const float*>(&kept[0]), 0);
  float away = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) away += from_pivot(kept[i], pivot);
  for (int p = thread + kGroup * kShare; p < pieces; p += kGroup) away += from_pivot(x_row[p], pivot);
  row_mean = pivot + group_sum<kGroup>(away, partial[0]) / columns;
  float spread = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) spread += squares(kept[i], row_mean);
  for (int p = thread + kGroup * kShare; p < pieces; p += kGroup) spread += squares(x_row[p], row_mean);
  row_rstd = rsqrtf(group_sum<kGroup>(spread, partial[1]) / columns + eps);
  if (!thread) mean[row] = row_mean, rstd[row] = row_rstd;
  // END: statistics

  // Must write every piece of the row.
  // FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) out_row[p] = normalized(kept[i], row_mean, row_rstd, gamma[p], beta[p]);
  }
  for (int p = thread + kGroup * kShare; p < pieces; p += kGroup)
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
  const int pieces = aligned ? columns >> 2 : columns;
  if (aligned) {
    launch = pieces <= 32    ? launch_kernel<float4, 32, 1>
             : pieces <= 64  ? launch_kernel<float4, 32, 2>
             : pieces <= 128 ? launch_kernel<float4, 32, 4>
             : pieces <= 192 ? launch_kernel<float4, 32, 6>
             : pieces <= 256 ? launch_kernel<float4, 256, 1>
             : pieces <= 512 ? launch_kernel<float4, 256, 2>
                             : launch_kernel<float4, 256, 4>;
  } else {
    launch = pieces <= 32     ? launch_kernel<float, 32, 1>
             : pieces <= 128  ? launch_kernel<float, 32, 4>
             : pieces <= 256  ? launch_kernel<float, 256, 1>
             : pieces <= 512  ? launch_kernel<float, 256, 2>
             : pieces <= 1024 ? launch_kernel<float, 256, 4>
                              : launch_kernel<float, 512, 8>;
  }
  // END: launch
  if (launch) launch(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
