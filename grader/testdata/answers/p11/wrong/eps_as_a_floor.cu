// ENTRY: kernel
// CLASS: scaling
// CAUSE: eps is the least that the variance may be, and is not added
// SAYS: eps.*only taken where
// p11: LayerNorm, fourth rung: mean and variance from one reading of the row.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
//
// p10 asked for x three times. Fill in `add_value`, `merge` and `statistics` so that two are enough: one for
// both statistics, one for the answer. The short way is to add up x and x^2 in one loop and to take E[x^2] -
// mean^2. Try it if you like, and see what the case `offset` says. Welford's way keeps a mean and the sum of
// squares around that mean, and mends both with every value:
//
//   values so far      mean    squares around it
//   10003              10003    0
//   10003 10001        10002    2         no number here is ever much larger than
//   10003 10001 10005  10003    8         what the answer needs: nothing cancels
//
//   grader p11     grader hint p11     grader lesson p11
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kWarp = 32;
constexpr int kRowsPerBlock = kThreads / kWarp;

// What is known of some values: how many they are, their mean, and the sum of their squares around that mean.
struct Moments {
  float count = 0.0f, mean = 0.0f, squares = 0.0f;
};

// `m` and one value more.
__device__ Moments with_value(Moments m, [[maybe_unused]] float value) {
  // FILL ME IN: add_value (roughly 4 lines)
  m.count += 1.0f;
  const float before = value - m.mean;
  m.mean += before / m.count;
  m.squares += before * (value - m.mean);
  // END: add_value
  return m;
}

// Of the values of `a` and those of `b` together. Either may be of no values at all.
__device__ Moments merged(Moments a, [[maybe_unused]] Moments b) {
  // FILL ME IN: merge (roughly 6 lines)
  if (b.count == 0.0f) return a;
  const float total = a.count + b.count;
  const float apart = b.mean - a.mean;
  const float part = b.count / total;
  a.squares += b.squares + apart * apart * a.count * part;
  a.mean += apart * part;
  a.count = total;
  // END: merge
  return a;
}

// Grid: enough blocks of kThreads threads for a warp per row.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const int row = blockIdx.x * kRowsPerBlock + warp.meta_group_rank();
  if (row >= rows) return;  // a whole warp leaves, and no other one waits for it
  const int lane = warp.thread_rank();
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set row_mean and row_rstd in every lane, and store them, once. warp.shfl_down(value, d) is what the
  // lane d further on has in `value`, warp.shfl(value, 0) what lane 0 has; all 32 must call them.
  // FILL ME IN: statistics (roughly 12 lines)
  Moments all;
  for (int c = lane; c < columns; c += kWarp) all = with_value(all, x_row[c]);
  for (int d = kWarp / 2; d >= 1; d >>= 1) {
    Moments other;
    other.count = warp.shfl_down(all.count, d);
    other.mean = warp.shfl_down(all.mean, d);
    other.squares = warp.shfl_down(all.squares, d);
    all = merged(all, other);
  }
  const float variance = warp.shfl(all.squares, 0) / columns;
  row_mean = warp.shfl(all.mean, 0);
  row_rstd = rsqrtf(fmaxf(variance, eps));
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Given: as on the rung before.
  for (int c = lane; c < columns; c += kWarp)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[c] + beta[c]);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
