// p13 layernorm_registers, optimized: the same answer, with as many threads for a row as keep the memory busy
// best.
//
// The reference keeps the row in registers, and so does this. What differs is how a row is shared out: few
// pieces for each thread, so that a block needs few registers, has few bytes in flight, and makes way soon
// for the next; and a row that a warp could keep may have several. What it costs: constants that were found
// by measuring, and a sum over warps where one warp's would do.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// What the caches need not keep: 0 nothing, 1 what is stored, 2 what is loaded too.
constexpr int kNarrowStreamed = 0;
constexpr int kWideStreamed = 0;
// Rows of up to 192 pieces: kNarrowShare for each of kNarrowGroup threads; kNarrowRows groups to a block.
constexpr int kNarrowGroup = 64;
constexpr int kNarrowShare = 3;
constexpr int kNarrowRows = 1;
// How many blocks a multiprocessor must have room for, which bounds their registers; 0: the compiler decides.
constexpr int kNarrowBlocks = 0;
// Rows of up to 1024 pieces.
constexpr int kWideGroup = 512;
constexpr int kWideShare = 2;
constexpr int kWideBlocks = 0;
static_assert(kNarrowGroup * kNarrowShare == 192 && kWideGroup * kWideShare == 1024);
static_assert(kNarrowRows == 1 || kNarrowGroup == kWarp);

template <int kStreamed, typename Piece>
__device__ Piece load(const Piece* from) {
  if constexpr (kStreamed > 1) return __ldcs(from);
  return *from;
}
template <int kStreamed, typename Piece>
__device__ void store(Piece* to, Piece value) {
  if constexpr (kStreamed > 0)
    __stcs(to, value);
  else
    *to = value;
}

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
    // Lanes in rings of the next power of two: those without a warp of theirs add nothing.
    constexpr int kRing = kWarps <= 2 ? 2 : kWarps <= 4 ? 4 : kWarps <= 8 ? 8 : kWarps <= 16 ? 16 : kWarp;
    value = lane % kRing < kWarps ? partial[lane % kRing] : 0.0f;
    for (int distance = kRing / 2; distance > 0; distance /= 2)
      value += __shfl_xor_sync(kAllLanes, value, distance);
  }
  return value;
}

// x, out: [rows, pieces]; gamma, beta: [pieces]. A group of kGroup threads has a row, and each of them keeps
// kShare pieces; kRows groups are a block. What a longer row has beyond kGroup * kShare pieces is read again.
template <typename Piece, int kGroup, int kShare, int kRows, int kBlocks, int kStreamed>
__global__ void __launch_bounds__(kGroup* kRows, kBlocks)
    layernorm_kernel(const Piece* __restrict__ x, const Piece* __restrict__ gamma,
                     const Piece* __restrict__ beta, Piece* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int pieces, int columns, float eps) {
  __shared__ float partial[2][kGroup / kWarp];  // of both sums
  const int row = blockIdx.x * kRows + threadIdx.x / kGroup;
  if (row >= rows) return;  // whole warps, and none in a block of one group
  const int thread = threadIdx.x % kGroup;
  const Piece* x_row = x + static_cast<size_t>(row) * pieces;
  Piece* out_row = out + static_cast<size_t>(row) * pieces;
  Piece kept[kShare];
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set kept[i] to piece thread + i * kGroup of the row, to zeros where the row has no such piece.
  // FILL ME IN: load_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread + i * kGroup;
    kept[i] = piece < pieces ? load<kStreamed>(x_row + piece) : Piece{};
  }
  // END: load_row

  // Must set row_mean and row_rstd in every thread, and store them, once.
  // FILL ME IN: statistics (roughly 18 lines)
  // Kept pieces, and then what a longer row has beyond them: seldom any, so that to unroll those loops would
  // only cost registers.
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) sum += total(x_row[p]);
  row_mean = group_sum<kGroup>(sum, partial[0]) / columns;
  // A second pass, over registers: it costs no traffic. A padded zero would add mean^2 here.
  float around = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) around += squares(kept[i], row_mean);
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) around += squares(x_row[p], row_mean);
  row_rstd = rsqrtf(group_sum<kGroup>(around, partial[1]) / columns + eps);
  if (thread == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Must write every piece of the row.
  // FILL ME IN: store_row (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) store<kStreamed>(out_row + p, normalized(kept[i], row_mean, row_rstd, gamma[p], beta[p]));
  }
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup)
    out_row[p] = normalized(x_row[p], row_mean, row_rstd, gamma[p], beta[p]);
  // END: store_row
}

template <typename Piece, int kGroup, int kShare, int kRows, int kBlocks, int kStreamed>
void launch_kernel(const float* x, const float* gamma, const float* beta, float* out, float* mean,
                   float* rstd, int rows, int columns, float eps) {
  const int pieces = columns / static_cast<int>(sizeof(Piece) / sizeof(float));
  layernorm_kernel<Piece, kGroup, kShare, kRows, kBlocks, kStreamed>
      <<<(rows + kRows - 1) / kRows, kGroup * kRows>>>(
          reinterpret_cast<const Piece*>(x), reinterpret_cast<const Piece*>(gamma),
          reinterpret_cast<const Piece*>(beta), reinterpret_cast<Piece*>(out), mean, rstd, rows, pieces,
          columns, eps);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(gamma) |
                     reinterpret_cast<std::uintptr_t>(beta) | reinterpret_cast<std::uintptr_t>(out);
  const bool aligned = columns % 4 == 0 && bases % sizeof(float4) == 0;
  decltype(&launch_kernel<float, 32, 8, 4, 0, 0>) launch = nullptr;
  // FILL ME IN: launch (roughly 18 lines)
  // Registers have no index at run time: a share is part of the type, and each has a kernel of its own.
  if (aligned && columns <= 4 * 192)
    launch = launch_kernel<float4, kNarrowGroup, kNarrowShare, kNarrowRows, kNarrowBlocks, kNarrowStreamed>;
  else if (aligned && columns <= 4 * 32 * 8)
    launch = launch_kernel<float4, 32, 8, 4, 0, kNarrowStreamed>;
  else if (aligned && columns <= 4 * 1024)
    launch = launch_kernel<float4, kWideGroup, kWideShare, 1, kWideBlocks, kWideStreamed>;
  else if (aligned && columns <= 4 * 512 * 4)
    launch = launch_kernel<float4, 512, 4, 1, 0, kWideStreamed>;
  else if (aligned)
    launch = launch_kernel<float4, 1024, 4, 1, 0, kWideStreamed>;
  else if (columns <= 32 * 8)
    launch = launch_kernel<float, 32, 8, 4, 0, 0>;
  else if (columns <= 256 * 4)
    launch = launch_kernel<float, 256, 4, 1, 0, 0>;
  else if (columns <= 512 * 8)
    launch = launch_kernel<float, 512, 8, 1, 0, 0>;
  else
    launch = launch_kernel<float, 1024, 16, 1, 0, 0>;
  // END: launch
  launch(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
