// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has a block for every 128 rows, of which a block has only four.
// SAYS: warps in the launch|grid|blocks
// SAYS: never written|every answer is right
// NEVER: \brace\b|barrier
// HELD: no
// p10: LayerNorm, third rung: one launch, and a warp for each row.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
//
// Fill in `statistics`, `normalize` and `launch`. The 32 lanes of a warp share a row: neighbouring lanes read
// neighbouring columns, as in p09, and what one lane has summed the others learn by shuffles, from register
// to register. So nothing has to leave the kernel between the equations, and one launch does all three of
// them, without shared memory and without a barrier:
//
//            c = 0 .. 31   32 .. 63   64 .. 95  ...
//   warp 0    [ lanes  ]   [ lanes ]  [ lanes ]        row 0        a block of 128 threads
//   warp 1    [ lanes  ]   [ lanes ]  [ lanes ]        row 1        works on four rows,
//   warp 2    [ lanes  ]   [ lanes ]  [ lanes ]        row 2        and its warps know
//   warp 3    [ lanes  ]   [ lanes ]  [ lanes ]        row 3        nothing of each other
//
//   grader p10     grader hint p10     grader lesson p10
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kWarp = 32;
constexpr int kRowsPerBlock = kThreads / kWarp;

// Grid: enough blocks of kThreads threads for a warp per row. `__restrict__` promises that no two of these
// tensors overlap: loads may be moved ahead of stores then.
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

  // Must set row_mean and row_rstd in every lane, and store them, once. cg::reduce(warp, value,
  // cg::plus<float>()) is the sum of `value` over the warp, for each of its lanes; all 32 must call it.
  // FILL ME IN: statistics (roughly 10 lines)
  float total = 0.0f;
  for (int j = lane; j < columns; j += kWarp) total += x_row[j];
  row_mean = cg::reduce(warp, total, cg::plus<float>()) / columns;
  float dev = 0.0f;
  for (int j = lane; j < columns; j += kWarp) {
    const float d = x_row[j] - row_mean;
    dev += d * d;
  }
  row_rstd = rsqrtf(cg::reduce(warp, dev, cg::plus<float>()) / columns + eps);
  if (lane == 0) mean[row] = row_mean;
  if (lane == 0) rstd[row] = row_rstd;
  // END: statistics

  // Must write every out_row[c]. __ldcs and __stcs are a load and a store that tell the cache: not again.
  // FILL ME IN: normalize (roughly 2 lines)
  for (int j = lane; j < columns; j += kWarp) {
    const float z = (__ldcs(x_row + j) - row_mean) * row_rstd;
    __stcs(out_row + j, z * gamma[j] + beta[j]);
  }
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 2 lines)
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
}
