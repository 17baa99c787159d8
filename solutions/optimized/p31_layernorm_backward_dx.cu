// p31 layernorm_backward_dx, optimized: the same answer, with fewer bytes for each thread and a word to the
// cache.
//
// All loads of a row are under way before the first is used. A row of up to 768 columns has 192 threads with
// a piece of both tensors each; in wider ones a thread has two, and its loads are such as L2 is asked to keep
// (load_kept below). What it buys on an H200 (`bench/peers.py p31`), in us:
//
//                 reference   torch.compile    this
//   32768 x 768        71.2            71.1    70.5
//   16384 x 4096      186.5           194.3   183.8
//
// What it costs: more kernels to choose from, and two instructions of PTX.
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
  asm volatile("ld.global.nc.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from), "l"(policy));
  return v;
}
__device__ float load_kept(const float* from) { return *from; }
// Of narrow rows many lie in L2 at a time, and it gains nothing there.
template <bool kWide, typename Piece>
__device__ Piece load(const Piece* from) {
  if constexpr (kWide) return load_kept(from);
  return *from;
}

// For both kinds of pieces: number by number, and the sum of a piece's numbers.
__device__ float4 operator-(float4 a, float4 b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }
__device__ float4 operator-(float4 a, float b) { return {a.x - b, a.y - b, a.z - b, a.w - b}; }
__device__ float4 operator*(float4 a, float4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
__device__ float4 operator*(float4 a, float b) { return {a.x * b, a.y * b, a.z * b, a.w * b}; }
__device__ float total(float v) { return v; }
__device__ float total(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__device__ float2 sum_of_warp(float2 value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value.x += __shfl_xor_sync(kAllLanes, value.x, distance);
    value.y += __shfl_xor_sync(kAllLanes, value.y, distance);
  }
  return value;
}

// The sums of value.x and of value.y over the block, for each of its threads, which all call it, once.
template <int kThreads>
__device__ float2 block_sums(float2 value) {
  __shared__ float2 partial[kThreads / kWarp];
  value = sum_of_warp(value);
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  return sum_of_warp(lane < kThreads / kWarp ? partial[lane] : float2{});
}

// dy, x, dx: [rows, pieces]; gamma: [pieces]; mean, rstd: [rows]. Block r has row r, and each of its kThreads
// threads keeps kShare pieces of it; a row has kThreads * kShare pieces at most.
template <typename Piece, bool kWide, int kThreads, int kShare>
__global__ void __launch_bounds__(kThreads)
    backward_kernel(const Piece* __restrict__ dy, const Piece* __restrict__ x,
                    const Piece* __restrict__ gamma, const float* __restrict__ mean,
                    const float* __restrict__ rstd, Piece* __restrict__ dx, int pieces, int columns) {
  const int row = blockIdx.x;
  const Piece* dy_row = dy + static_cast<size_t>(row) * pieces;
  const Piece* x_row = x + static_cast<size_t>(row) * pieces;
  Piece* dx_row = dx + static_cast<size_t>(row) * pieces;
  const float row_mean = mean[row], row_rstd = rstd[row];
  Piece from_dy[kShare], from_x[kShare];
  float first_mean = 0.0f, second_mean = 0.0f;

  // FILL ME IN: load_row (roughly 15 lines)
  // All of the row is under way before anything is done with it.
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = threadIdx.x + i * kThreads;
    from_x[i] = p < pieces ? load<kWide>(x_row + p) : Piece{};
    from_dy[i] = p < pieces ? load<kWide>(dy_row + p) : Piece{};
  }
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = threadIdx.x + i * kThreads;
    if (p < pieces) {
      from_dy[i] = from_dy[i] * gamma[p];
      from_x[i] = (from_x[i] - row_mean) * row_rstd;
    }
  }
  // END: load_row

  // FILL ME IN: means (roughly 9 lines)
  float2 sums{};
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    sums.x += total(from_dy[i]);
    sums.y += total(from_dy[i] * from_x[i]);
  }
  sums = block_sums<kThreads>(sums);
  first_mean = sums.x / columns;
  second_mean = sums.y / columns;
  // END: means

  // FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = threadIdx.x + i * kThreads;
    if (p < pieces) dx_row[p] = (from_dy[i] - first_mean - from_x[i] * second_mean) * row_rstd;
  }
  // END: store_row
}

template <typename Piece, bool kWide, int kThreads, int kShare>
void launch_kernel(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                   float* dx, int rows, int columns) {
  const int pieces = columns / static_cast<int>(sizeof(Piece) / sizeof(float));
  backward_kernel<Piece, kWide, kThreads, kShare><<<rows, kThreads>>>(
      reinterpret_cast<const Piece*>(dy), reinterpret_cast<const Piece*>(x),
      reinterpret_cast<const Piece*>(gamma), mean, rstd, reinterpret_cast<Piece*>(dx), pieces, columns);
}

// dy, x, dx: [rows, columns]; gamma: [columns]; mean, rstd: [rows]; device memory. Rows of 1 to 16384
// columns.
void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  const auto bases = reinterpret_cast<std::uintptr_t>(dy) | reinterpret_cast<std::uintptr_t>(x) |
                     reinterpret_cast<std::uintptr_t>(gamma) | reinterpret_cast<std::uintptr_t>(dx);
  const bool aligned = columns % 4 == 0 && bases % sizeof(float4) == 0;
  auto launch = launch_kernel<float, true, 1024, 16>;
  if (aligned && columns <= 4 * 192)
    launch = launch_kernel<float4, false, 192, 1>;
  else if (aligned && columns <= 4 * 512)
    launch = launch_kernel<float4, true, 256, 2>;
  else if (aligned && columns <= 4 * 1024)
    launch = launch_kernel<float4, true, 512, 2>;
  else if (aligned)
    launch = launch_kernel<float4, true, 1024, 4>;
  else if (columns <= 256)
    launch = launch_kernel<float, true, 64, 4>;
  else if (columns <= 2048)
    launch = launch_kernel<float, true, 256, 8>;
  launch(dy, x, gamma, mean, rstd, dx, rows, columns);
}
