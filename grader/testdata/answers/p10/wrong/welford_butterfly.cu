// ENTRY: kernel
// CLASS: scaling
// CAUSE: moments of lanes are merged as if all had as many values
// SAYS: as many values
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
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
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

  // Must set row_mean and row_rstd in every lane, and store them, once.
  // FILL ME IN: statistics (roughly 10 lines)
  // One reading of the row for both: Welford over the lane's own columns ...
  float squares = 0.0f;
  int seen = 0;
  for (int c = lane; c < columns; c += kWarp) {
    const float value = x_row[c], delta = value - row_mean;
    row_mean += delta / ++seen;
    squares += delta * (value - row_mean);
  }
  // ... and then neighbours merge what they know, in pairs, fours, eights (Chan et al.).
  float count = static_cast<float>(columns) / kWarp;  // values behind each of the two
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const float other_mean = warp.shfl_xor(row_mean, distance);
    const float other_squares = warp.shfl_xor(squares, distance);
    const float delta = other_mean - row_mean;
    row_mean = 0.5f * (row_mean + other_mean);
    squares += other_squares + delta * delta * (0.5f * count);
    count += count;
  }
  row_rstd = rsqrtf(squares / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Must write every out_row[c]. __ldcs and __stcs are a load and a store that tell the cache: not again.
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = lane; c < columns; c += kWarp)
    __stcs(out_row + c, fmaf((__ldcs(x_row + c) - row_mean) * row_rstd, gamma[c], beta[c]));
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 2 lines)
  const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
}
