// ENTRY: kernel
// CLASS: index
// CAUSE: The shifted one-pass sums must all be taken around one pivot of the row (x_row[0]), but each lane uses its own first value as pivot, so the lanes' sums of differences belong to different shifts.
// SAYS: pivot|lane 0|first lane
// NEVER: \brace\b
// HELD: no
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kBlockRows = 4;

__global__ void __launch_bounds__(32 * kBlockRows)
    shifted_layernorm(const float* __restrict__ x, const float* __restrict__ gamma,
                      const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                      float* __restrict__ rstd, int rows, int columns, float eps) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * kBlockRows + threadIdx.y;
  if (row >= rows) return;
  const int lane = threadIdx.x;
  const float* line = x + static_cast<size_t>(row) * columns;
  float* answer = out + static_cast<size_t>(row) * columns;

  const float pivot = lane < columns ? line[lane] : 0.0f;
  float first_moment = 0.0f, second_moment = 0.0f;
  for (int c = lane; c < columns; c += 32) {
    const float d = line[c] - pivot;
    first_moment += d;
    second_moment = fmaf(d, d, second_moment);
  }
  first_moment = cg::reduce(warp, first_moment, cg::plus<float>()) / columns;
  second_moment = cg::reduce(warp, second_moment, cg::plus<float>()) / columns;
  const float mu = pivot + first_moment;
  const float variance = fmaxf(second_moment - first_moment * first_moment, 0.0f);
  const float s = rsqrtf(variance + eps);
  if (lane == 0) {
    mean[row] = mu;
    rstd[row] = s;
  }
  for (int c = lane; c < columns; c += 32)
    __stcs(answer + c, (__ldcs(line + c) - mu) * s * gamma[c] + beta[c]);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const dim3 block(32, kBlockRows);
  shifted_layernorm<<<(rows + kBlockRows - 1) / kBlockRows, block>>>(x, gamma, beta, out, mean, rstd, rows,
                                                                      columns, eps);
}
