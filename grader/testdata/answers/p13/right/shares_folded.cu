// STYLE: shares of a row chosen by a fold expression, lambdas for pieces that are kept and pieces that are not
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
  auto fits = [=](int i) { return thread + i * kGroup < pieces; };
#pragma unroll
  for (int i = 0; i < kShare; ++i) kept[i] = fits(i) ? x_row[thread + i * kGroup] : Piece{};
  // END: load_row

  // Must set row_mean and row_rstd in every thread, and store them, once.
  // FILL ME IN: statistics (roughly 18 lines)
  // f is applied to what this thread kept and to what it did not keep, and summed over the group
  auto over_row = [&](auto f, float* room) {
    float lanes_part = 0.0f;
#pragma unroll
    for (int i = kShare - 1; i >= 0; --i) lanes_part += fits(i) ? f(kept[i]) : 0.0f;
    for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) lanes_part += f(x_row[p]);
    return group_sum<kGroup>(lanes_part, room);
  };
  const float n = static_cast<float>(columns);
  row_mean = over_row([](Piece v) { return total(v); }, partial[1]) / n;
  row_rstd = 1.0f / sqrtf(over_row([&](Piece v) { return squares(v, row_mean); }, partial[0]) / n + eps);
  if (thread == kGroup - 1) mean[row] = row_mean, rstd[row] = row_rstd;
  // END: statistics

  // Must write every piece of the row.
  // FILL ME IN: store_row (roughly 9 lines)
  auto put = [&](int p, Piece v) { out_row[p] = normalized(v, row_mean, row_rstd, gamma[p], beta[p]); };
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    if (!fits(i)) continue;
    put(thread + i * kGroup, kept[i]);
  }
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) put(p, x_row[p]);
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

// `to` becomes the first of the shares, in rising order, that keeps so many pieces, or the last of them.
template <typename Piece, int kGroup, int... kShares, typename Launch>
void pick(Launch& to, int pieces) {
  bool found = false;
  ((found || (to = launch_kernel<Piece, kGroup, kShares>, found = pieces <= kGroup * kShares)), ...);
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
  const int many = aligned ? columns / 4 : columns;
  if (aligned) {
    if (many <= 32 * 8) pick<float4, 32, 1, 2, 3, 4, 6, 8>(launch, many);
    else pick<float4, 256, 2, 3, 4, 8, 12>(launch, many);
  } else {
    if (many <= 32 * 24) pick<float, 32, 1, 2, 4, 8, 16, 24>(launch, many);
    else pick<float, 256, 4, 8, 16, 32>(launch, many);
  }
  // END: launch
  if (launch) launch(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
