// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The row is taken from blockIdx.x alone and the grid has a block per row, so all four warps of each block do the whole of the same row: right numbers, four times the requests and stores.
// SAYS: same work|once for|\d(\.0)? times|rows?
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: no
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kWarp = 32;

__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const int row = blockIdx.x;
  if (row >= rows) return;
  const int lane = warp.thread_rank();
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;

  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  const float row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) {
    const float d = x_row[c] - row_mean;
    squares += d * d;
  }
  const float row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  for (int c = lane; c < columns; c += kWarp)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[c] + beta[c]);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
