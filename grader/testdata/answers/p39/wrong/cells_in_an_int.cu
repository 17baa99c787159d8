// ENTRY: kernel
// CLASS: precision
// CAUSE: a product of integers is more than an int holds
// SAYS: int of 32 bits
// p39 use_the_library: a product that is as good as you can make it, and when not to use it.
//
//   out = x weight^T + bias      x [M,K]   weight [N,K]   bias [N]   out [M,N]
//
// and, for each job of a list, what the library takes, what a kernel of your own takes, and which to use:
//
//   jobs [4,count]: M, K, N of a product as above, and how many steps follow it. A step is an operation on
//   each element of out that the library cannot do in its product.
//     library   the product, and then a launch for each step, which reads [M,N] and writes [M,N]
//     own       one launch: product and steps in one, its arithmetic at `share` of the library's speed
//   A product takes as long as its 2MKN operations or as its bytes, x, weight and out once: whichever is
//   more. Every launch takes launch_us besides. All are floats of 4 bytes, all times in microseconds.
//
// Fill in four blanks:
//
//   multiply   4 x 4 results of each thread from the tiles in shared memory
//   store      results and bias to out
//   plan       library_us, own_us and use_own of one job
//   launch     both kernels
//
//   grader p39     grader hint p39     grader lesson p39
//
// All of this file is yours to change, launches too; only the last function keeps its name and its
// parameters.
#include <cuda_runtime.h>

constexpr int kTile = 64;               // rows and columns of out that a block makes
constexpr int kDeep = 16;               // k of a pair of tiles
constexpr int kEach = 4;                // rows and columns of out that a thread makes
constexpr int kAcross = kTile / kEach;  // threads along a row of out, and along a column
constexpr int kThreads = kAcross * kAcross;

// Given: tile[k][i] = matrix[first_row + i][first_k + k], 0 where there is no such value. Along k the lanes
// of a warp are neighbours in memory; with rows of kTile + 2 words they store to different banks.
__device__ void load_tile(float (*tile)[kTile + 2], const float* __restrict__ matrix, int first_row,
                          int first_k, int rows, int inner) {
#pragma unroll
  for (int i = threadIdx.x; i < kTile * kDeep; i += kThreads) {
    const int row = first_row + i / kDeep, k = first_k + i % kDeep;
    tile[i % kDeep][i / kDeep] =
        row < rows && k < inner ? matrix[static_cast<size_t>(row) * inner + k] : 0.0f;
  }
}

// Block (x, y) makes one tile of out, the x-th from the left and the y-th from above. Of it thread (across,
// down) has columns across, across + 16, ... and rows 4 down, 4 down + 1, ...
__global__ void __launch_bounds__(kThreads)
    linear_kernel(const float* __restrict__ x, const float* __restrict__ weight,
                  [[maybe_unused]] const float* __restrict__ bias, [[maybe_unused]] float* __restrict__ out,
                  int rows, int inner, int columns) {
  __shared__ float x_tile[kDeep][kTile + 2], w_tile[kDeep][kTile + 2];
  [[maybe_unused]] const int across = threadIdx.x % kAcross, down = threadIdx.x / kAcross;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  [[maybe_unused]] float sum[kEach][kEach] = {};
  for (int first_k = 0; first_k < inner; first_k += kDeep) {
    load_tile(x_tile, x, first_row, first_k, rows, inner);
    load_tile(w_tile, weight, first_column, first_k, columns, inner);
    __syncthreads();
    // Must add to sum[i][j] the products of row i and column j of this thread, for all k of the tiles.
    // FILL ME IN: multiply (roughly 12 lines)
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float* left = &x_tile[k][kEach * down];
      const float* right = &w_tile[k][across];
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const float w = right[j * kAcross];
#pragma unroll
        for (int i = 0; i < kEach; ++i) sum[i][j] = fmaf(left[i], w, sum[i][j]);
      }
    }
    // END: multiply
    __syncthreads();
  }
  // Must write the results that exist, with the bias of their column.
  // FILL ME IN: store (roughly 8 lines)
  const int top = first_row + kEach * down;
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int column = first_column + across + j * kAcross;
    if (column >= columns) break;
    const float start = bias[column];
    float* to = out + static_cast<size_t>(top) * columns + column;
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (top + i < rows) to[static_cast<size_t>(i) * columns] = start + sum[i][j];
  }
  // END: store
}

// A thread for each job.
__global__ void plan_kernel(const int* __restrict__ jobs, float* __restrict__ library_us,
                            float* __restrict__ own_us, int* __restrict__ use_own, int count,
                            [[maybe_unused]] float flops_per_us, [[maybe_unused]] float bytes_per_us,
                            [[maybe_unused]] float share, [[maybe_unused]] float launch_us) {
  const int job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job >= count) return;
  [[maybe_unused]] const int m = jobs[job], k = jobs[count + job], n = jobs[2 * count + job];
  [[maybe_unused]] const int steps = jobs[3 * count + job];
  [[maybe_unused]] float library = 0.0f, own = 0.0f;
  // Must set library and own to microseconds.
  // FILL ME IN: plan (roughly 7 lines)
  const float cells = m * n;
  const float deep = k, border = static_cast<float>(m) + n;
  const float arithmetic = 2.0f * cells * deep / flops_per_us;
  const float traffic = 4.0f * (border * deep + cells) / bytes_per_us;
  const float step = 8.0f * cells / bytes_per_us + launch_us;
  library = fmaxf(arithmetic, traffic) + launch_us + steps * step;
  own = fmaxf(arithmetic / share, traffic) + launch_us;
  // END: plan
  library_us[job] = library;
  own_us[job] = own;
  use_own[job] = own < library;
}

// x [rows,inner], weight [columns,inner], bias [columns], out [rows,columns]; jobs [4,count], the others
// [count]; device memory. All sizes are at least 1. Of the library: flops_per_us is what its products reach.
void linear_and_plan(const float* x, const float* weight, const float* bias, float* out, int rows, int inner,
                     int columns, const int* jobs, float* library_us, float* own_us, int* use_own, int count,
                     float flops_per_us, float bytes_per_us, float share, float launch_us) {
  // FILL ME IN: launch (roughly 5 lines)
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_kernel<<<tiles, kThreads>>>(x, weight, bias, out, rows, inner, columns);
  plan_kernel<<<(count + 127) / 128, 128>>>(jobs, library_us, own_us, use_own, count, flops_per_us,
                                            bytes_per_us, share, launch_us);
  // END: launch
}
