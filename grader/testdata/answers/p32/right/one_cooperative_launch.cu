// STYLE: one cooperative launch for the second entry: blocks store, wait for the whole grid, and those of strip 0 add up
#include <cooperative_groups.h>
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
    // Rows do not wait for each other: the loads of four of them are under way at a time.
#pragma unroll 4
  for (int row = first + threadIdx.y; row < end; row += kSlices) {
    const size_t at = static_cast<size_t>(row) * columns + column;
    const float gradient = __ldcs(dy + at);
    sums.x += gradient * ((__ldcs(x + at) - mean[row]) * rstd[row]);
    sums.y += gradient;
  }
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
  if (threadIdx.y == 0 && column < columns) {
    atomicAdd(dgamma + column, sums.x);
    atomicAdd(dbeta + column, sums.y);
  }
  // END: add
}

__global__ void __launch_bounds__(256) together(const float* dy, const float* x, const float* mean, const float* rstd,
    float* partial, float* dgamma, float* dbeta, int rows, int columns, int strip_rows) {
  float2 sums = sum_of_slices(slice_of_strip(dy, x, mean, rstd, rows, columns, strip_rows));
  const int column = blockIdx.x * kColumns + threadIdx.x;
  // FILL ME IN: store (roughly 5 lines)
  if (threadIdx.y == 0 && column < columns) {
    float* mine = partial + static_cast<size_t>(blockIdx.y) * 2 * columns;
    mine[column] = sums.x;
    mine[columns + column] = sums.y;
  }
  // END: store
  cooperative_groups::this_grid().sync();
  // FILL ME IN: finalise (roughly 12 lines)
  if (blockIdx.y != 0 || threadIdx.y != 0 || column >= columns) return;
  sums = {};
  for (int s = 0; s < gridDim.y; ++s) {
    sums.x += partial[2 * s * columns + column];
    sums.y += partial[(2 * s + 1) * columns + column];
  }
  dgamma[column] = sums.x;
  dbeta[column] = sums.y;
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
  // A float of which all bytes are 0 is 0.
  cudaMemset(dgamma, 0, sizeof(float) * columns);
  cudaMemset(dbeta, 0, sizeof(float) * columns);
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
  void* args[] = {&dy, &x, &mean, &rstd, &partial, &dgamma, &dbeta, &rows, &columns, const_cast<int*>(&strip_rows)};
  cudaLaunchCooperativeKernel((const void*)together, grid, block, args, 0, 0);
  // END: launches
  cudaFree(partial);
}
