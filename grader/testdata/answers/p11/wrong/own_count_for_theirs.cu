// ENTRY: kernel
// CLASS: missing-term
// CAUSE: of the moments of another lane mean and squares are shuffled, and the count is the lane's own: wrong where lanes have seen different numbers of values
// SAYS: shfl_xor\(have\.count|count
// SAYS: line|shuffle|other's count
// NEVER: barrier|race
// HELD: no
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
  const float before = value - m.mean;
  const float k = m.count + 1.0f, centre = m.mean + before / k;
  m = {k, centre, fmaf(before, value - centre, m.squares)};
  // END: add_value
  return m;
}

// Of the values of `a` and those of `b` together. Either may be of no values at all.
__device__ Moments merged(Moments a, [[maybe_unused]] Moments b) {
  // FILL ME IN: merge (roughly 6 lines)
  const float n = a.count + b.count;
  if (n > 0.0f) {
    const float gap = b.mean - a.mean, weight = b.count / n;
    const float between = gap * gap * a.count * weight;
    a.mean = fmaf(gap, weight, a.mean);
    a.squares = a.squares + b.squares + between;
    a.count = n;
  }
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
  Moments have{};
  int c = lane;
  while (c < columns) {
    have = with_value(have, x_row[c]);
    c += kWarp;
  }
#pragma unroll
  for (int bit = 1; bit < kWarp; bit <<= 1) {
    const Moments theirs{have.count, warp.shfl_xor(have.mean, bit), warp.shfl_xor(have.squares, bit)};
    have = merged(have, theirs);
  }
  have.mean = warp.shfl(have.mean, 0);
  have.squares = warp.shfl(have.squares, 0);
  row_mean = have.mean;
  row_rstd = 1.0f / sqrtf(have.squares / static_cast<float>(columns) + eps);
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
