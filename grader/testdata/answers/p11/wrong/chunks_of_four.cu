// ENTRY: kernel
// CLASS: scaling
// CAUSE: The mean of a chunk is its sum divided by 4 even if the row ends within the chunk and fewer than four of its values exist, so the mean of a last chunk that is not full is too small.
// HELD: no
// SAYS: mean|divi|count|four|\b4\b|0\.25|quarter
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
  const float delta = value - m.mean;
  m.mean += delta / m.count;
  m.squares += delta * (value - m.mean);
  // END: add_value
  return m;
}

// Of the values of `a` and those of `b` together. Either may be of no values at all.
__device__ Moments merged(Moments a, [[maybe_unused]] Moments b) {
  // FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count == 0.0f) return a;
  const float delta = b.mean - a.mean, share = b.count / count;
  a.squares += b.squares + delta * delta * a.count * share;
  a.mean += delta * share;
  a.count = count;
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
  // Four values of a lane at a time: their own moments in two passes over registers, then merged.
  Moments m;
  for (int c = lane; c < columns; c += 4 * kWarp) {
    float values[4];
    Moments chunk;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool there = c + i * kWarp < columns;
      values[i] = there ? x_row[c + i * kWarp] : 0.0f;
      chunk.count += there ? 1.0f : 0.0f;
      sum += values[i];
    }
    chunk.mean = sum / 4.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (c + i * kWarp < columns) chunk.squares += (values[i] - chunk.mean) * (values[i] - chunk.mean);
    m = merged(m, chunk);
  }
#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const Moments other{warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance),
                        warp.shfl_down(m.squares, distance)};
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) / columns + eps);
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
