// p32 layernorm_backward_params, optimized: the same answers, 16 bytes at a time.
//
// A lane has four columns where they begin at multiples of 16 bytes: a warp reads 512 bytes of a row instead
// of 128, and a block leaves 128 columns behind. There are as many strips as make four blocks for each SM of
// an H200, so that all of them are at work at once and end together. What it buys there (`bench/peers.py
// p32`), in us:
//
//                 reference    this   PyTorch, the fastest way
//   32768 x 768        50.4    48.5   76.5 (torch.compile)
//   16384 x 4096      129.4   120.5   124.1 (eager)
//
// What it costs: each sum four times, and a number of blocks that is chosen for one GPU.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

constexpr int kWarp = 32;
constexpr int kSlices = 8;    // of a block: warps, each with rows of its own
constexpr int kBlocks = 528;  // in all, about: four for each SM of an H200
constexpr int kInFlight = 2;  // rows that a thread has under way

template <typename Piece>
constexpr int kNumbers = sizeof(Piece) / sizeof(float);  // of a piece

// The sums of a thread: dgamma and dbeta of each of its columns.
template <typename Piece>
struct Sums {
  float gamma[kNumbers<Piece>] = {}, beta[kNumbers<Piece>] = {};
};

__device__ float number(float v, int) { return v; }
__device__ float number(float4 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

// Adds up what the block's threads have of the same columns, for the columns' first threads: `emit(which,
// column, sum)`, which is 0 for dgamma. All threads must call it, once.
template <typename Piece, typename Emit>
__device__ void sum_of_slices(const Sums<Piece>& sums, int columns, Emit emit) {
  constexpr int kWide = kWarp * kNumbers<Piece>;
  __shared__ float room[2][kSlices][kWide];
#pragma unroll
  for (int i = 0; i < kNumbers<Piece>; ++i) {
    room[0][threadIdx.y][threadIdx.x * kNumbers<Piece> + i] = sums.gamma[i];
    room[1][threadIdx.y][threadIdx.x * kNumbers<Piece> + i] = sums.beta[i];
  }
  __syncthreads();
  for (int at = threadIdx.y * kWarp + threadIdx.x; at < 2 * kWide; at += kSlices * kWarp) {
    const int which = at / kWide, column = blockIdx.x * kWide + at % kWide;
    float sum = 0.0f;
    for (int slice = 0; slice < kSlices; ++slice) sum += room[which][slice][at % kWide];
    if (column < columns) emit(which, column, sum);
  }
}

// What the thread's slice of the block's strip adds up to in its columns.
template <typename Piece>
__device__ Sums<Piece> slice_of_strip(const Piece* __restrict__ dy, const Piece* __restrict__ x,
                                      const float* __restrict__ mean, const float* __restrict__ rstd,
                                      int rows, int pieces, int strip_rows) {
  const int piece = blockIdx.x * kWarp + threadIdx.x;
  const int first = blockIdx.y * strip_rows;
  const int end = min(first + strip_rows, rows);
  Sums<Piece> sums;
  if (piece >= pieces) return sums;
  // FILL ME IN: strip (roughly 27 lines)
  const auto add = [&](Piece gradient, Piece value, float row_mean, float row_rstd) {
#pragma unroll
    for (int i = 0; i < kNumbers<Piece>; ++i) {
      sums.gamma[i] += number(gradient, i) * ((number(value, i) - row_mean) * row_rstd);
      sums.beta[i] += number(gradient, i);
    }
  };
  int row = first + threadIdx.y;
  for (; row + (kInFlight - 1) * kSlices < end; row += kInFlight * kSlices) {
    Piece gradient[kInFlight], value[kInFlight];
    float row_mean[kInFlight], row_rstd[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
      const int r = row + k * kSlices;
      const size_t at = static_cast<size_t>(r) * pieces + piece;
      gradient[k] = __ldcs(dy + at);
      value[k] = __ldcs(x + at);
      row_mean[k] = mean[r];
      row_rstd[k] = rstd[r];
    }
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) add(gradient[k], value[k], row_mean[k], row_rstd[k]);
  }
  for (; row < end; row += kSlices) {
    const size_t at = static_cast<size_t>(row) * pieces + piece;
    add(__ldcs(dy + at), __ldcs(x + at), mean[row], rstd[row]);
  }
  // END: strip
  return sums;
}

// Entry `atomics`. Grid: pieces / kWarp x strips, both rounded up. dgamma, dbeta: [columns].
template <typename Piece>
__global__ void __launch_bounds__(kWarp* kSlices)
    atomics_kernel(const Piece* __restrict__ dy, const Piece* __restrict__ x, const float* __restrict__ mean,
                   const float* __restrict__ rstd, float* dgamma, float* dbeta, int rows, int columns,
                   int strip_rows) {
  const auto sums = slice_of_strip(dy, x, mean, rstd, rows, columns / kNumbers<Piece>, strip_rows);
  // FILL ME IN: add (roughly 3 lines)
  sum_of_slices(sums, columns, [&](int which, int column, float sum) {
    atomicAdd((which == 0 ? dgamma : dbeta) + column, sum);
  });
  // END: add
}

// Entry `partials`. The same grid; partial: [strips, 2, columns], of each strip the sums of dgamma, then
// dbeta.
template <typename Piece>
__global__ void __launch_bounds__(kWarp* kSlices)
    partials_kernel(const Piece* __restrict__ dy, const Piece* __restrict__ x, const float* __restrict__ mean,
                    const float* __restrict__ rstd, float* __restrict__ partial, int rows, int columns,
                    int strip_rows) {
  const auto sums = slice_of_strip(dy, x, mean, rstd, rows, columns / kNumbers<Piece>, strip_rows);
  // FILL ME IN: store (roughly 3 lines)
  sum_of_slices(sums, columns, [&](int which, int column, float sum) {
    partial[(static_cast<size_t>(blockIdx.y) * 2 + which) * columns + column] = sum;
  });
  // END: store
}

// Grid: columns / kWarp, rounded up, x 2: dgamma, dbeta. Threads 32 x 8, as above.
__global__ void __launch_bounds__(kWarp* kSlices)
    finalise_kernel(const float* __restrict__ partial, float* __restrict__ dgamma, float* __restrict__ dbeta,
                    int strips, int columns) {
  __shared__ float room[kSlices][kWarp];
  const int column = blockIdx.x * kWarp + threadIdx.x;
  // FILL ME IN: finalise (roughly 11 lines)
  float sum = 0.0f;
  if (column < columns)
    for (int strip = threadIdx.y; strip < strips; strip += kSlices)
      sum += partial[(static_cast<size_t>(strip) * 2 + blockIdx.y) * columns + column];
  room[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && column < columns) {
    for (int slice = 1; slice < kSlices; ++slice) sum += room[slice][threadIdx.x];
    (blockIdx.y == 0 ? dgamma : dbeta)[column] = sum;
  }
  // END: finalise
}

struct Shape {
  dim3 grid;
  int strip_rows;
};
Shape shape_of(int rows, int pieces) {
  const int groups = (pieces + kWarp - 1) / kWarp;
  const int strips = std::max(1, kBlocks / groups);
  const int strip_rows = std::max(64, (rows + strips - 1) / strips);
  return {dim3(groups, (rows + strip_rows - 1) / strip_rows), strip_rows};
}

bool in_float4s(const float* dy, const float* x, int columns) {
  const auto bases = reinterpret_cast<std::uintptr_t>(dy) | reinterpret_cast<std::uintptr_t>(x);
  return columns % 4 == 0 && bases % sizeof(float4) == 0;
}

template <typename Piece>
void with_atomics(const float* dy, const float* x, const float* mean, const float* rstd, float* dgamma,
                  float* dbeta, int rows, int columns) {
  const auto [grid, strip_rows] = shape_of(rows, columns / kNumbers<Piece>);
  // FILL ME IN: launch_atomics (roughly 5 lines)
  cudaMemset(dgamma, 0, sizeof(float) * columns);
  cudaMemset(dbeta, 0, sizeof(float) * columns);
  atomics_kernel<Piece><<<grid, dim3(kWarp, kSlices)>>>(reinterpret_cast<const Piece*>(dy),
                                                        reinterpret_cast<const Piece*>(x), mean, rstd, dgamma,
                                                        dbeta, rows, columns, strip_rows);
  // END: launch_atomics
}

template <typename Piece>
void with_partials(const float* dy, const float* x, const float* mean, const float* rstd, float* dgamma,
                   float* dbeta, int rows, int columns) {
  const auto [grid, strip_rows] = shape_of(rows, columns / kNumbers<Piece>);
  float* partial;
  cudaMalloc(&partial, sizeof(float) * grid.y * 2 * columns);
  // FILL ME IN: launches (roughly 5 lines)
  const dim3 block(kWarp, kSlices);
  partials_kernel<Piece><<<grid, block>>>(reinterpret_cast<const Piece*>(dy),
                                          reinterpret_cast<const Piece*>(x), mean, rstd, partial, rows,
                                          columns, strip_rows);
  finalise_kernel<<<dim3((columns + kWarp - 1) / kWarp, 2), block>>>(partial, dgamma, dbeta, grid.y, columns);
  // END: launches
  cudaFree(partial);
}

// dy, x: [rows, columns]; mean, rstd: [rows]; dgamma, dbeta: [columns], with anything in them; device memory.
// rows and columns >= 1.
void layernorm_backward_params_atomics(const float* dy, const float* x, const float* mean, const float* rstd,
                                       float* dgamma, float* dbeta, int rows, int columns) {
  const auto launch = in_float4s(dy, x, columns) ? with_atomics<float4> : with_atomics<float>;
  launch(dy, x, mean, rstd, dgamma, dbeta, rows, columns);
}

// As above.
void layernorm_backward_params(const float* dy, const float* x, const float* mean, const float* rstd,
                               float* dgamma, float* dbeta, int rows, int columns) {
  const auto launch = in_float4s(dy, x, columns) ? with_partials<float4> : with_partials<float>;
  launch(dy, x, mean, rstd, dgamma, dbeta, rows, columns);
}
