// p22 rmsnorm_streaming, optimized: the same answer with the row kept in registers between the passes.
//
// The reference comes back for the row: simple, and right for rows of any length. Here each thread loads its
// share of the row once, all of it before the first use and 16 bytes at a time, and still has it when the sum
// is known; the weights are under way by then, too. Loads are such as L2 is asked to keep (load_kept below).
// What it buys on an H200 (`bench/peers.py p22`), for 16384 x 4096:
//
//   reference 137.8 us    torch.compile 127.3    this 126.9
//
// What it costs: a kernel for each length of share, since registers have no index at run time; a choice among
// them; and rows that no choice holds are streamed after all.

#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// A load that asks L2 to keep what it brings until the last. Nothing is read from there again, and DRAM moves
// the same bytes, but it moves them faster: a copy of 268 MB takes 125.4 us with this and 127.2 without, on
// an H200. (Why is not documented; stores that ask for it gain nothing.) CUDA C++ has no word for it, PTX
// has.
__device__ float4 load_kept(const float4* from) {
  unsigned long policy;
  float4 v;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.nc.L1::evict_last.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from), "l"(policy));
  return v;
}
__device__ float load_kept(const float* from) { return *from; }

__device__ float squares(float v) { return v * v; }
__device__ float squares(float4 v) { return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
__device__ float scaled(float v, float factor, float w) { return v * factor * w; }
__device__ float4 scaled(float4 v, float factor, float4 w) {
  return {v.x * factor * w.x, v.y * factor * w.y, v.z * factor * w.z, v.w * factor * w.w};
}

// The sum of `value` over the block, in every thread. Once per kernel.
template <int kThreads>
__device__ float block_sum(float value) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ float partial[kWarps];
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = partial[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// x, out: [rows, pieces]; weight: [pieces]; `columns` floats a row. A Piece is a float or a float4. Block r
// works on row r; each of its kThreads threads keeps kShare pieces. kShare = 0: nothing is kept, of a row of
// any length.
template <typename Piece, int kThreads, int kShare>
__global__ void __launch_bounds__(kThreads)
    rmsnorm_kernel(const Piece* __restrict__ x, const Piece* __restrict__ weight, Piece* __restrict__ out,
                   int pieces, int columns, float eps) {
  const Piece* x_row = x + static_cast<long>(blockIdx.x) * pieces;
  Piece* out_row = out + static_cast<long>(blockIdx.x) * pieces;
  [[maybe_unused]] Piece kept[kShare > 0 ? kShare : 1], factor[kShare > 0 ? kShare : 1];
  // Where registers allow it, the weights are under way before the sum is waited for.
  constexpr bool kAhead = kShare > 0 && kShare <= 2;
  float sum = 0.0f;
  // FILL ME IN: row_statistics (roughly 12 lines)
  if constexpr (kShare > 0) {
#pragma unroll
    for (int i = 0; i < kShare; ++i) {
      const int piece = threadIdx.x + i * kThreads;
      kept[i] = piece < pieces ? load_kept(x_row + piece) : Piece{};
    }
    // The braces stay: nvcc takes a pragma for all of an `if constexpr` and, where that is left out, leaves out the
    // next loop with it.
    if constexpr (kAhead) {
#pragma unroll
      for (int i = 0; i < kShare; ++i) {
        const int piece = threadIdx.x + i * kThreads;
        factor[i] = piece < pieces ? weight[piece] : Piece{};
      }
    }
#pragma unroll
    for (int i = 0; i < kShare; ++i) sum += squares(kept[i]);
  } else {
    for (int piece = threadIdx.x; piece < pieces; piece += kThreads) sum += squares(x_row[piece]);
  }
  const float inverse_rms = rsqrtf(block_sum<kThreads>(sum) / columns + eps);
  // END: row_statistics
  // FILL ME IN: scale_row (roughly 10 lines)
  if constexpr (kShare > 0) {
#pragma unroll
    for (int i = 0; i < kShare; ++i) {
      const int piece = threadIdx.x + i * kThreads;
      if (piece < pieces) out_row[piece] = scaled(kept[i], inverse_rms, kAhead ? factor[i] : weight[piece]);
    }
  } else {
    for (int piece = threadIdx.x; piece < pieces; piece += kThreads)
      out_row[piece] = scaled(x_row[piece], inverse_rms, weight[piece]);
  }
  // END: scale_row
}

// The smallest share that holds a row, with the fewest threads.
template <typename Piece>
void launch(const Piece* x, const Piece* weight, Piece* out, int rows, int pieces, int columns, float eps) {
  // FILL ME IN: launch (roughly 12 lines)
  if (pieces <= 128)
    rmsnorm_kernel<Piece, 128, 1><<<rows, 128>>>(x, weight, out, pieces, columns, eps);
  else if (pieces <= 256)
    rmsnorm_kernel<Piece, 128, 2><<<rows, 128>>>(x, weight, out, pieces, columns, eps);
  else if (pieces <= 512)
    rmsnorm_kernel<Piece, 256, 2><<<rows, 256>>>(x, weight, out, pieces, columns, eps);
  else if (pieces <= 1024)
    rmsnorm_kernel<Piece, 512, 2><<<rows, 512>>>(x, weight, out, pieces, columns, eps);
  else if (pieces <= 2048)
    rmsnorm_kernel<Piece, 512, 4><<<rows, 512>>>(x, weight, out, pieces, columns, eps);
  else if (pieces <= 4096)
    rmsnorm_kernel<Piece, 512, 8><<<rows, 512>>>(x, weight, out, pieces, columns, eps);
  else
    rmsnorm_kernel<Piece, 256, 0><<<rows, 256>>>(x, weight, out, pieces, columns, eps);
  // END: launch
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  const auto bases = reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(weight) |
                     reinterpret_cast<std::uintptr_t>(out);
  if (columns % 4 == 0 && bases % sizeof(float4) == 0)
    launch(reinterpret_cast<const float4*>(x), reinterpret_cast<const float4*>(weight),
           reinterpret_cast<float4*>(out), rows, columns / 4, columns, eps);
  else
    launch(x, weight, out, rows, columns, columns, eps);
}
