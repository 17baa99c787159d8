// p17 softmax_online, optimized: the same answer with the row kept in registers, so that x is read once.
//
// The reference comes back for the row and works out each exponential twice: for the sum, and for the output.
// Here a thread loads its share of the row, all of it before the first use and 16 bytes at a time, takes
// exp(value - its own largest) once, and keeps that. When the block's largest value and sum are known, what
// is left to do is one factor for all values of the thread. It requests 2 passes where the reference requests
// 3, and modelled on an H200 the full size (8192 x 4096) is bound by DRAM and no longer by issue: 64 us where
// the reference takes 69.
//
// What it costs: a kernel for each length of share, since registers have no index at run time; a choice among
// them; and rows that no choice holds are read twice after all.

#include <cuda_runtime.h>

#include <cfloat>
#include <cstdint>

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// Of some values: their largest, and the sum of exp(value - largest).
struct Partial {
  float largest, sum;
};

// Of no values at all. Not -inf: -inf - -inf is NaN.
constexpr Partial kNothing = {-FLT_MAX, 0.0f};

__device__ float largest_of(float v) { return v; }
__device__ float largest_of(float4 v) { return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)); }
__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ float scaled(float v, float factor) { return v * factor; }
__device__ float4 scaled(float4 v, float factor) {
  return {v.x * factor, v.y * factor, v.z * factor, v.w * factor};
}
// exp(v - largest), for exponents of 0 and below: its error grows with them, and the result shrinks faster.
__device__ float exponential(float v, float largest) { return __expf(v - largest); }
__device__ float4 exponential(float4 v, float largest) {
  return {exponential(v.x, largest), exponential(v.y, largest), exponential(v.z, largest),
          exponential(v.w, largest)};
}
template <typename Piece>
__device__ Piece lowest() {
  if constexpr (sizeof(Piece) == sizeof(float))
    return -INFINITY;
  else
    return {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
}

__device__ Partial merged(Partial a, Partial b) {
  Partial both = a;
  // FILL ME IN: merge (roughly 3 lines)
  both.largest = fmaxf(a.largest, b.largest);
  both.sum = a.sum * exponential(a.largest, both.largest) + b.sum * exponential(b.largest, both.largest);
  // END: merge
  return both;
}

__device__ Partial merged_with_lane(Partial mine, int distance) {
  return merged(mine, {__shfl_xor_sync(kAllLanes, mine.largest, distance),
                       __shfl_xor_sync(kAllLanes, mine.sum, distance)});
}

// Merged over the block, in every thread. Once per kernel.
template <int kThreads>
__device__ Partial merged_over_block(Partial mine) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ Partial of_warp[kWarps];
  for (int distance = kWarp / 2; distance > 0; distance /= 2) mine = merged_with_lane(mine, distance);
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) of_warp[threadIdx.x / kWarp] = mine;
  __syncthreads();
  mine = of_warp[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2) mine = merged_with_lane(mine, distance);
  return mine;
}

// What a thread's pieces add to `row`: one scaling of its sum, one exponential for each value, left in
// `pieces`.
template <typename Piece, int kCount>
__device__ Partial with_pieces(Partial row, Piece (&pieces)[kCount]) {
  Partial next = {row.largest, 0.0f};
#pragma unroll
  for (int i = 0; i < kCount; ++i) next.largest = fmaxf(next.largest, largest_of(pieces[i]));
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    pieces[i] = exponential(pieces[i], next.largest);
    next.sum += sum_of(pieces[i]);
  }
  next.sum += row.sum * exponential(row.largest, next.largest);
  return next;
}

// x, out: [rows, pieces]. A Piece is a float or a float4. Block r works on row r; each of its kThreads
// threads keeps kShare pieces. kShare = 0: nothing is kept, of a row of any length.
template <typename Piece, int kThreads, int kShare>
__global__ void __launch_bounds__(kThreads)
    softmax_kernel(const Piece* __restrict__ x, Piece* __restrict__ out, int pieces) {
  constexpr int kAhead = kShare > 0 ? kShare : 2;
  const Piece* x_row = x + static_cast<size_t>(blockIdx.x) * pieces;
  Piece* out_row = out + static_cast<size_t>(blockIdx.x) * pieces;
  Partial row = kNothing;
  Piece kept[kAhead];
  // FILL ME IN: one_pass (roughly 10 lines)
  for (int first = threadIdx.x; first < pieces; first += kAhead * kThreads) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int piece = first + i * kThreads;
      kept[i] = piece < pieces ? x_row[piece] : lowest<Piece>();
    }
    row = with_pieces(row, kept);
    if constexpr (kShare > 0) break;  // all of the row is in the block's registers
  }
  // END: one_pass
  const float own_largest = row.largest;
  row = merged_over_block<kThreads>(row);
  // FILL ME IN: write_row (roughly 12 lines)
  const float inverse = 1.0f / row.sum;
  if constexpr (kShare > 0) {
    const float factor = exponential(own_largest, row.largest) * inverse;
#pragma unroll
    for (int i = 0; i < kShare; ++i) {
      const int piece = threadIdx.x + i * kThreads;
      if (piece < pieces) __stcs(out_row + piece, scaled(kept[i], factor));
    }
  } else {
    for (int piece = threadIdx.x; piece < pieces; piece += kThreads)
      __stcs(out_row + piece, scaled(exponential(x_row[piece], row.largest), inverse));
  }
  // END: write_row
}

// The smallest share that holds a row, with the fewest threads.
template <typename Piece>
void launch(const Piece* x, Piece* out, int rows, int pieces) {
  if (pieces <= 128)
    softmax_kernel<Piece, 128, 1><<<rows, 128>>>(x, out, pieces);
  else if (pieces <= 256)
    softmax_kernel<Piece, 128, 2><<<rows, 128>>>(x, out, pieces);
  else if (pieces <= 512)
    softmax_kernel<Piece, 128, 4><<<rows, 128>>>(x, out, pieces);
  else if (pieces <= 1024)
    softmax_kernel<Piece, 256, 4><<<rows, 256>>>(x, out, pieces);
  else if (pieces <= 2048)
    softmax_kernel<Piece, 512, 4><<<rows, 512>>>(x, out, pieces);
  else if (pieces <= 4096)
    softmax_kernel<Piece, 512, 8><<<rows, 512>>>(x, out, pieces);
  else
    softmax_kernel<Piece, 256, 0><<<rows, 256>>>(x, out, pieces);
}

// x, out: [rows, columns]; device memory. There is at least one row, and one column.
void softmax(const float* x, float* out, int rows, int columns) {
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(out);
  if (columns % 4 == 0 && bases % sizeof(float4) == 0)
    launch(reinterpret_cast<const float4*>(x), reinterpret_cast<float4*>(out), rows, columns / 4);
  else
    launch(x, out, rows, columns);
}
