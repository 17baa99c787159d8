// STYLE: cg::reduce over a struct with its own functor, blocks of 128 to 1024 by width
// p12: LayerNorm, fifth rung: a block for each row, for rows that are wide.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
//
// Fill in `block_stage`, `statistics`, `normalize` and `launch`. All threads of a block work on one row; x is
// still asked for twice in all. Moments and what a warp does with them are p11's, given. New is the second
// stage: a shuffle does not reach beyond its warp, so what the warps have found crosses in shared memory.
//
//   stage 1, shuffles        32 lanes -> 1     32 lanes -> 1    ...    32 lanes -> 1
//   shared memory            partial[0]        partial[1]       ...    partial[kWarps - 1]
//   one barrier              -------------------------------------------------------------
//   stage 2, shuffles        every warp reads all of them and merges them for itself
//
//   grader p12     grader hint p12     grader lesson p12
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kWarp = 32;

// What is known of some values: how many they are, their mean, and the sum of their squares around that mean.
struct Moments {
  float count, mean, squares;

  __device__ Moments& operator+=(float value) {
    count += 1.0f;
    const float delta = value - mean;
    mean += delta / count;
    squares += delta * (value - mean);
    return *this;
  }
};

// Of two such, as an operator for cg::reduce.
struct Merge {
  __device__ Moments operator()(const Moments& a, const Moments& b) const {
    const float count = a.count + b.count;
    if (count == 0.0f) return a;
    const float delta = b.mean - a.mean, share = b.count / count;
    return {count, a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share};
  }
};

// Runs over the columns of this thread, in blocks of kThreads.
template <int kThreads, typename Body>
__device__ __forceinline__ void for_each_column(int columns, Body&& body) {
#pragma unroll 4
  for (int c = threadIdx.x; c < columns; c += kThreads) body(c);
}

// The moments of all that the threads of a block have, in each of them. All must call it, once in a kernel.
template <int kThreads>
__device__ Moments block_moments(const cg::thread_block& block, Moments m) {
  constexpr unsigned kWarps = kThreads / kWarp;
  static_assert(kThreads % kWarp == 0 && kWarps <= kWarp, "whole warps, as many as one of them can merge");
  __shared__ Moments partial[kWarps];
  const auto warp = cg::tiled_partition<kWarp>(block);
  // FILL ME IN: block_stage (roughly 6 lines)
  m = cg::reduce(warp, m, Merge{});
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = m;
  block.sync();
  m = warp.thread_rank() < kWarps ? partial[warp.thread_rank()] : Moments{0.0f, 0.0f, 0.0f};
  m = cg::reduce(warp, m, Merge{});
  // END: block_stage
  return m;
}

// Block r has row r.
template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int columns, float eps) {
  const auto block = cg::this_thread_block();
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;

  // FILL ME IN: statistics (roughly 9 lines)
  Moments m{0.0f, 0.0f, 0.0f};
  for_each_column<kThreads>(columns, [&](int c) { m += x_row[c]; });
  m = block_moments<kThreads>(block, m);
  const float row_mean = m.mean, row_rstd = 1.0f / sqrtf(m.squares / columns + eps);
  if (block.thread_rank() == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
  // END: statistics

  // FILL ME IN: normalize (roughly 2 lines)
  for_each_column<kThreads>(columns, [&](int c) {
    __stcs(out_row + c, fmaf((__ldcs(x_row + c) - row_mean) * row_rstd, gamma[c], beta[c]));
  });
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 1 line)
  const auto launch = [&](auto kernel, int threads) {
    kernel<<<rows, threads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
  };
  if (columns > 4096)
    launch(layernorm_kernel<1024>, 1024);
  else if (columns > 512)
    launch(layernorm_kernel<512>, 512);
  else
    launch(layernorm_kernel<128>, 128);
  // END: launch
}
