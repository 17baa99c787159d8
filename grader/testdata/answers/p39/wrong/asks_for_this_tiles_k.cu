// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Whether the next tile's value is there is asked of this tile's k.
// SAYS: there.*k \+ kDeep|next tile
// NEVER: grid may have more threads
// HELD: no
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

constexpr int kTile = 64;
constexpr int kDeep = 16;
constexpr int kEach = 4;
constexpr int kSide = kTile / kEach;  // 16
constexpr int kThreads = kSide * kSide;
constexpr int kLoads = kTile * kDeep / kThreads;  // of each matrix, for a thread and a tile

// Four values of x and four of weight on their way from memory, while the tile before them is multiplied.
struct OnTheWay {
  float x[kLoads], w[kLoads];
};

// Thread t brings column t % kDeep of a tile, rows t / kDeep, t / kDeep + 16, ... The same thread computes
// columns across, across + 16, ... and rows 4 down to 4 down + 3.
__global__ void __launch_bounds__(kThreads)
    linear_prefetched(const float* __restrict__ x, const float* __restrict__ weight,
                      const float* __restrict__ bias, float* __restrict__ out, int rows, int inner,
                      int columns) {
  __shared__ float x_tile[kDeep][kTile + 2], w_tile[kDeep][kTile + 2];
  const int across = threadIdx.x % kSide, down = threadIdx.x / kSide;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int my_k = threadIdx.x % kDeep, my_row = threadIdx.x / kDeep;

  OnTheWay next;
  const auto ask = [&](int k, bool there) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int row = first_row + my_row + i * (kThreads / kDeep);
      const int column = first_column + my_row + i * (kThreads / kDeep);
      next.x[i] = there && row < rows ? x[static_cast<size_t>(row) * inner + k] : 0.0f;
      next.w[i] = there && column < columns ? weight[static_cast<size_t>(column) * inner + k] : 0.0f;
    }
  };
  ask(my_k, my_k < inner);

  float sum[kEach][kEach] = {};
  for (int first_k = 0; first_k < inner; first_k += kDeep) {
    const int k = first_k + my_k;
    const bool there = k < inner;
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      x_tile[my_k][my_row + i * (kThreads / kDeep)] = next.x[i];
      w_tile[my_k][my_row + i * (kThreads / kDeep)] = next.w[i];
    }
    __syncthreads();
    if (first_k + kDeep < inner) ask(k + kDeep, there);  // the next tile's, if there is one
#pragma unroll
    for (int d = 0; d < kDeep; ++d) {
      float a[kEach], b[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        a[i] = x_tile[d][kEach * down + i];
        b[i] = w_tile[d][across + i * kSide];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int column = first_column + across + j * kSide;
    if (column >= columns) continue;
    const float plus = bias[column];
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + kEach * down + i;
      if (row < rows) out[static_cast<size_t>(row) * columns + column] = sum[i][j] + plus;
    }
  }
}

// A thread for each job.
__global__ void plan_jobs(const int* __restrict__ jobs, float* __restrict__ library_us,
                          float* __restrict__ own_us, int* __restrict__ use_own, int count, float flops_per_us,
                          float bytes_per_us, float share, float launch_us) {
  const int job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job >= count) return;
  const auto field = [&](int which) { return static_cast<float>(jobs[which * count + job]); };
  const float m = field(0), k = field(1), n = field(2), steps = field(3);
  const float operations = 2.0f * m * k * n / flops_per_us;
  const float bytes = 4.0f * (m * k + k * n + m * n) / bytes_per_us;
  const float step = 8.0f * m * n / bytes_per_us + launch_us;
  const float library = fmaxf(operations, bytes) + launch_us + steps * step;
  const float own = fmaxf(operations / share, bytes) + launch_us;
  library_us[job] = library;
  own_us[job] = own;
  use_own[job] = own < library ? 1 : 0;
}

// x [rows,inner], weight [columns,inner], bias [columns], out [rows,columns]; jobs [4,count], the others
// [count]; device memory. All sizes are at least 1. Of the library: flops_per_us is what its products reach.
void linear_and_plan(const float* x, const float* weight, const float* bias, float* out, int rows, int inner,
                     int columns, const int* jobs, float* library_us, float* own_us, int* use_own, int count,
                     float flops_per_us, float bytes_per_us, float share, float launch_us) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_prefetched<<<tiles, kThreads>>>(x, weight, bias, out, rows, inner, columns);
  plan_jobs<<<(count + kThreads - 1) / kThreads, kThreads>>>(jobs, library_us, own_us, use_own, count,
                                                            flops_per_us, bytes_per_us, share, launch_us);
}
