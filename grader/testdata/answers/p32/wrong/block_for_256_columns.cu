// ENTRY: partials
// CLASS: launch-shape
// CAUSE: a block is launched for 256 columns of which it has 32
// SAYS: kColumns - 1
// p32 layernorm_backward_params: the gradients of LayerNorm's gamma and beta, first with atomics, then
// without.
//
//   dgamma[c] = sum over all rows r of dy[r][c] * xhat[r][c]      xhat[r][c] = (x[r][c] - mean[r]) * rstd[r]
//   dbeta[c]  = sum over all rows r of dy[r][c]
//   dy, x [M,N]   mean, rstd [M], saved by the forward pass   dgamma, dbeta [N]
//
// Sums of columns, this time. A block has 32 columns and a strip of rows; its threads are 32 x 8, and thread
// (t, s) adds up column t over the rows s, s + 8, s + 16, ... of the strip, its slice:
//
//                 32 columns    next block
//   strip 0     [ slices 0-7 ] [          ] ...       Every block is left with 32 sums of dgamma and 32 of
//   strip 1     [            ] [          ] ...       dbeta, of its strip alone. How do those of all strips
//   ...                                               come together?
//
// Fill in the blanks, then run:  grader p32
//
//   strip                      both entries: what one thread adds up
//   add, launch_atomics        entry `atomics`: every block adds its sums to dgamma and dbeta, atomically
//   store, finalise, launches  entry `partials`: no atomics; every block stores its sums in a workspace, and
//   a
//                              second, small kernel adds up what the blocks have stored, in a fixed order
//
// All of this file is yours to change, the launches too; only the two host functions at the end keep their
// names and parameters.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kColumns = 32;  // of a block: a warp reads 128 bytes of a row
constexpr int kSlices = 8;

// Given: rows of a strip. At least 64, so that what a block leaves behind is little beside what it reads; and
// no more than 44 strips: with 768 columns those are 1056 blocks, as many as an H200 has at work at a time.
int rows_of_strip(int rows) { return std::max(64, (rows + 43) / 44); }

// Given: the sums over the slices of a block, for the threads of slice 0. All threads must call it, once.
__device__ float2 sum_of_slices(float2 sums) {
  __shared__ float2 room[kSlices][kColumns];
  room[threadIdx.y][threadIdx.x] = sums;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int slice = 1; slice < kSlices; ++slice) {
      sums.x += room[slice][threadIdx.x].x;
      sums.y += room[slice][threadIdx.x].y;
    }
  }
  return sums;
}

// What the thread's slice of the block's strip adds up to in its column: dy * xhat in x, dy in y. A thread
// beside the last column has 0.
__device__ float2 slice_of_strip([[maybe_unused]] const float* __restrict__ dy,
                                 [[maybe_unused]] const float* __restrict__ x,
                                 [[maybe_unused]] const float* __restrict__ mean,
                                 [[maybe_unused]] const float* __restrict__ rstd, int rows, int columns,
                                 int strip_rows) {
  const int column = blockIdx.x * kColumns + threadIdx.x;
  const int first = blockIdx.y * strip_rows;
  [[maybe_unused]] const int end = min(first + strip_rows, rows);
  float2 sums{};
  if (column >= columns) return sums;
    // FILL ME IN: strip (roughly 7 lines)
  float2 others{};
  int row = first + threadIdx.y;
  for (; row + kSlices < end; row += 2 * kSlices) {
    const int below = row + kSlices;
    const size_t at = static_cast<size_t>(row) * columns + column;
    const size_t at_below = static_cast<size_t>(below) * columns + column;
    const float upper = dy[at], lower = dy[at_below];
    sums.x += upper * ((x[at] - mean[row]) * rstd[row]);
    others.x += lower * ((x[at_below] - mean[below]) * rstd[below]);
    sums.y += upper;
    others.y += lower;
  }
  if (row < end) {
    const size_t at = static_cast<size_t>(row) * columns + column;
    sums.x += dy[at] * ((x[at] - mean[row]) * rstd[row]);
    sums.y += dy[at];
  }
  sums = make_float2(sums.x + others.x, sums.y + others.y);
  // END: strip
  return sums;
}

// Entry `atomics`. Grid: columns / kColumns x strips, both rounded up. dgamma, dbeta: [columns].
__global__ void __launch_bounds__(kColumns* kSlices)
    atomics_kernel(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ mean,
                   const float* __restrict__ rstd, float* dgamma, float* dbeta, int rows, int columns,
                   int strip_rows) {
  [[maybe_unused]] const float2 sums =
      sum_of_slices(slice_of_strip(dy, x, mean, rstd, rows, columns, strip_rows));
  [[maybe_unused]] const int column = blockIdx.x * kColumns + threadIdx.x;
  // atomicAdd(address, value) reads, adds and writes, and nothing comes in between.
  // FILL ME IN: add (roughly 4 lines)
  if (column < columns && !threadIdx.y) {
    atomicAdd(&dgamma[column], sums.x);
    atomicAdd(&dbeta[column], sums.y);
  }
  // END: add
}

// Entry `partials`. The same grid; partial: [strips, 2, columns], of each strip the sums of dgamma, then
// dbeta.
__global__ void __launch_bounds__(kColumns* kSlices)
    partials_kernel(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ mean,
                    const float* __restrict__ rstd, float* __restrict__ partial, int rows, int columns,
                    int strip_rows) {
  [[maybe_unused]] const float2 sums =
      sum_of_slices(slice_of_strip(dy, x, mean, rstd, rows, columns, strip_rows));
  [[maybe_unused]] const int column = blockIdx.x * kColumns + threadIdx.x;
  // FILL ME IN: store (roughly 5 lines)
  if (column < columns && !threadIdx.y) {
    const size_t line = static_cast<size_t>(blockIdx.y) * 2;
    partial[line * columns + column] = sums.x;
    partial[(line + 1) * columns + column] = sums.y;
  }
  // END: store
}

// Grid: columns / kColumns, rounded up; threads 32 x 8, as above.
__global__ void __launch_bounds__(kColumns* kSlices)
    finalise_kernel(const float* __restrict__ partial, float* __restrict__ dgamma, float* __restrict__ dbeta,
                    int strips, int columns) {
  const int column = blockIdx.x * kColumns + threadIdx.x;
  float2 sums{};
  // FILL ME IN: finalise (roughly 12 lines)
  if (column < columns) {
    for (int strip = strips - 1 - static_cast<int>(threadIdx.y); strip >= 0; strip -= kSlices) {
      const size_t line = static_cast<size_t>(strip) * 2;
      sums.x += partial[line * columns + column];
      sums.y += partial[(line + 1) * columns + column];
    }
  }
  const float2 total = sum_of_slices(sums);
  if (column < columns && !threadIdx.y) {
    dgamma[column] = total.x;
    dbeta[column] = total.y;
  }
  // END: finalise
}

// dy, x: [rows, columns]; mean, rstd: [rows]; dgamma, dbeta: [columns], with anything in them; device memory.
// rows and columns >= 1.
void layernorm_backward_params_atomics(const float* dy, const float* x, const float* mean, const float* rstd,
                                       float* dgamma, float* dbeta, int rows, int columns) {
  const int strip_rows = rows_of_strip(rows);
  [[maybe_unused]] const dim3 grid((columns + kColumns - 1) / kColumns, (rows + strip_rows - 1) / strip_rows);
  [[maybe_unused]] const dim3 block(kColumns, kSlices);
  // FILL ME IN: launch_atomics (roughly 4 lines)
  cudaMemset(dgamma, 0, columns * sizeof(*dgamma));
  cudaMemset(dbeta, 0, columns * sizeof(*dbeta));
  atomics_kernel<<<grid, block>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns, strip_rows);
  // END: launch_atomics
}

// As above.
void layernorm_backward_params(const float* dy, const float* x, const float* mean, const float* rstd,
                               float* dgamma, float* dbeta, int rows, int columns) {
  const int strip_rows = rows_of_strip(rows);
  const dim3 grid((columns + kColumns - 1) / kColumns, (rows + strip_rows - 1) / strip_rows);
  [[maybe_unused]] const dim3 block(kColumns, kSlices);
  float* partial;
  cudaMalloc(&partial, sizeof(float) * grid.y * 2 * columns);
  // FILL ME IN: launches (roughly 2 lines)
  constexpr int kAll = kColumns * kSlices;
  partials_kernel<<<grid, block>>>(dy, x, mean, rstd, partial, rows, columns, strip_rows);
  finalise_kernel<<<(columns + kAll - 1) / kAll, block>>>(partial, dgamma, dbeta, static_cast<int>(grid.y),
                                                          columns);
  // END: launches
  cudaFree(partial);
}
