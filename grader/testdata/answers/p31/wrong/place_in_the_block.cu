// ENTRY: kernel
// CLASS: index
// CAUSE: threadIdx.x is used as the place in the group, of which a block may have four.
// SAYS: thread.? in place
// NEVER: barrier
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

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// Given, for both kinds of pieces: number by number, and the sum of a piece's numbers.
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

// The sums of value.x and of value.y over the group, for each of its threads. All of them must call it, once:
// a group of several warps is a block, and needs room for a float2 per warp.
template <int kGroup>
__device__ float2 group_sums(float2 value, float2* partial) {
  value = sum_of_warp(value);
  if constexpr (kGroup > kWarp) {
    const int lane = threadIdx.x % kWarp;
    if (lane == 0) partial[threadIdx.x / kWarp] = value;
    __syncthreads();
    value = sum_of_warp(lane < kGroup / kWarp ? partial[lane] : float2{});
  }
  return value;
}

// Threads of a block: the group's, or those of four groups of a warp each.
template <int kGroup>
constexpr int kThreads = kGroup > kWarp ? kGroup : 4 * kWarp;

// dy, x, dx: [rows, pieces]; gamma: [pieces]; mean, rstd: [rows]. A group of kGroup threads has a row, and
// each of them keeps kShare pieces of it; a row has kGroup * kShare pieces at most.
template <typename Piece, int kGroup, int kShare>
__global__ void __launch_bounds__(kThreads<kGroup>)
    backward_kernel(const Piece* __restrict__ dy, const Piece* __restrict__ x,
                    const Piece* __restrict__ gamma, const float* __restrict__ mean,
                    const float* __restrict__ rstd, Piece* __restrict__ dx, int rows, int pieces,
                    [[maybe_unused]] int columns) {
  [[maybe_unused]] __shared__ float2 partial[kGroup / kWarp];
  const int row = blockIdx.x * (kThreads<kGroup> / kGroup) + threadIdx.x / kGroup;
  if (row >= rows) return;  // whole warps, and none in a block of one group
  [[maybe_unused]] const int thread = threadIdx.x % kGroup;
  [[maybe_unused]] const Piece* dy_row = dy + static_cast<size_t>(row) * pieces;
  [[maybe_unused]] const Piece* x_row = x + static_cast<size_t>(row) * pieces;
  [[maybe_unused]] Piece* dx_row = dx + static_cast<size_t>(row) * pieces;
  [[maybe_unused]] const float row_mean = mean[row], row_rstd = rstd[row];
  // What is kept of dy and of x: as they are, or already worked on. Zeros where the row has no such piece.
  [[maybe_unused]] Piece from_dy[kShare], from_x[kShare];
  [[maybe_unused]] float first_mean = 0.0f, second_mean = 0.0f;

  // Must set from_dy[i] and from_x[i] for piece thread + i * kGroup of the row.
  // FILL ME IN: load_row (roughly 8 lines)
  const Piece* dy_at = dy_row + threadIdx.x;
  const Piece* x_at = x_row + threadIdx.x;
  const Piece* gamma_at = gamma + threadIdx.x;
  const int ahead = pieces - static_cast<int>(threadIdx.x);  // pieces from this thread's first to the row's end
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const bool mine = i * kGroup < ahead;
    from_dy[i] = mine ? dy_at[i * kGroup] * gamma_at[i * kGroup] : Piece{};
    from_x[i] = mine ? (x_at[i * kGroup] - row_mean) * row_rstd : Piece{};
  }
  // END: load_row

  // Must set first_mean and second_mean in every thread; group_sums<kGroup>({a, b}, partial) adds up both at
  // once.
  // FILL ME IN: means (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    first_mean += total(from_dy[i]);
    second_mean += total(from_dy[i] * from_x[i]);
  }
  const float2 sums = group_sums<kGroup>(make_float2(first_mean, second_mean), partial);
  first_mean = sums.x / static_cast<float>(columns);
  second_mean = sums.y / static_cast<float>(columns);
  // END: means

  // Must write every piece of the row.
  // FILL ME IN: store_row (roughly 5 lines)
  Piece* dx_at = dx_row + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (i * kGroup < ahead)
      dx_at[i * kGroup] = (from_dy[i] - from_x[i] * second_mean - first_mean) * row_rstd;
  // END: store_row
}

template <typename Piece, int kGroup, int kShare>
void launch_kernel(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                   float* dx, int rows, int columns) {
  constexpr int kBlock = kThreads<kGroup>, kRowsPerBlock = kBlock / kGroup;
  const int pieces = columns / static_cast<int>(sizeof(Piece) / sizeof(float));
  backward_kernel<Piece, kGroup, kShare><<<(rows + kRowsPerBlock - 1) / kRowsPerBlock, kBlock>>>(
      reinterpret_cast<const Piece*>(dy), reinterpret_cast<const Piece*>(x),
      reinterpret_cast<const Piece*>(gamma), mean, rstd, reinterpret_cast<Piece*>(dx), rows, pieces, columns);
}

// dy, x, dx: [rows, columns]; gamma: [columns]; mean, rstd: [rows]; device memory. Rows of 1 to 16384
// columns.
void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  const auto bases = reinterpret_cast<std::uintptr_t>(dy) | reinterpret_cast<std::uintptr_t>(x) |
                     reinterpret_cast<std::uintptr_t>(gamma) | reinterpret_cast<std::uintptr_t>(dx);
  const bool aligned = columns % 4 == 0 && bases % sizeof(float4) == 0;
  // As in p13 a share is part of the type. Two tensors are kept, so that a thread takes half of p13's share:
  // registers decide how many warps fit on an SM.
  auto launch = launch_kernel<float, 1024, 16>;
  if (aligned && columns <= 4 * 64 * 3)
    launch = launch_kernel<float4, 64, 3>;
  else if (aligned && columns <= 4 * 256 * 4)
    launch = launch_kernel<float4, 256, 4>;
  else if (aligned)
    launch = launch_kernel<float4, 1024, 4>;
  else if (columns <= 32 * 8)
    launch = launch_kernel<float, 32, 8>;
  else if (columns <= 256 * 8)
    launch = launch_kernel<float, 256, 8>;
  launch(dy, x, gamma, mean, rstd, dx, rows, columns);
}
