// STYLE: half a warp for a row, and the normalising loop from the end
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

constexpr int kThreads = 256;
constexpr int kWarp = 16;  // lanes of a row: half a warp
constexpr int kRowsPerBlock = kThreads / kWarp;

// Grid: enough blocks of kThreads threads for a warp per row. `__restrict__` promises that no two of these
// tensors overlap: loads may be moved ahead of stores then.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const int row = blockIdx.x * kRowsPerBlock + warp.meta_group_rank();
  if (row >= rows) return;  // a whole group of 16 leaves, and no other one waits for it
  const int lane = warp.thread_rank();
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set row_mean and row_rstd in every lane, and store them, once. cg::reduce(warp, value,
  // cg::plus<float>()) is the sum of `value` over the warp, for each of its lanes; all 32 must call it.
  // FILL ME IN: statistics (roughly 10 lines)
  const auto everyone = [&](float v) {
    for (int d = 1; d < kWarp; d *= 2) v += warp.shfl_xor(v, d);
    return v;
  };
  float s = 0.0f;
  for (int j = lane; j < columns; j += kWarp) s += x_row[j];
  row_mean = everyone(s) / static_cast<float>(columns);
  float q = 0.0f;
  for (int j = lane; j < columns; j += kWarp) {
    const float d = x_row[j] - row_mean;
    q = fmaf(d, d, q);
  }
  row_rstd = 1.0f / sqrtf(everyone(q) / static_cast<float>(columns) + eps);
  if (lane == kWarp - 1) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Must write every out_row[c]. __ldcs and __stcs are a load and a store that tell the cache: not again.
  // FILL ME IN: normalize (roughly 2 lines)
  for (int j = (columns - 1) / kWarp * kWarp + lane; j >= 0; j -= kWarp)
    if (j < columns) __stcs(out_row + j, fmaf((__ldcs(x_row + j) - row_mean) * row_rstd, gamma[j], beta[j]));
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 2 lines)
  const auto blocks_for = [](int count) { return (count + kRowsPerBlock - 1) / kRowsPerBlock; };
  layernorm_kernel<<<blocks_for(rows), kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
}
