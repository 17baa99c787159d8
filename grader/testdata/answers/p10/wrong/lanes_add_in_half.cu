// ENTRY: kernel
// CLASS: precision
// CAUSE: Each lane adds up its values in fp16.
// SAYS: fp16|half|11 bits|digits
// SAYS: sum|add|mean|lane|errors?
// NEVER: \brace\b|barrier
// HELD: no
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
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
  __half sum = __float2half(0.0f);
  for (int c = lane; c < columns; c += kWarp) sum = __hadd(sum, __float2half(x_row[c]));
  row_mean = cg::reduce(warp, __half2float(sum), cg::plus<float>()) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Must write every out_row[c]. __ldcs and __stcs are a load and a store that tell the cache: not again.
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = lane; c < columns; c += kWarp)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[c] + beta[c]);
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 2 lines)
  const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  // END: launch
}
