// STYLE: a block of 128 threads for each row, merged in shared memory by thread 0
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kWarp = 32;
constexpr int kRowsPerBlock = kThreads / kWarp;

// What is known of some values: how many they are, their mean, and the sum of their squares around that mean.
struct Moments {
  float count, mean, squares;
};

// `m` and one value more.
__device__ Moments with_value(Moments m, [[maybe_unused]] float value) {
  // FILL ME IN: add_value (roughly 4 lines)
  m.count += 1.0f;
  const float delta = value - m.mean;
  m.mean += delta / m.count;
  m.squares += delta * (value - m.mean);  // its distance from the old mean, times that from the new one
  // END: add_value
  return m;
}

// Of the values of `a` and those of `b` together. Either may be of no values at all.
__device__ Moments merged(Moments a, [[maybe_unused]] Moments b) {
  // FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count == 0.0f) return a;  // 0 / 0 would be the mean of nothing
  const float delta = b.mean - a.mean, share = b.count / count;
  a.mean += delta * share;
  a.squares += b.squares + delta * delta * a.count * share;
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
  const int row = blockIdx.x;
  if (row >= rows) return;  // a whole warp leaves, and no other one waits for it
  const int lane = warp.thread_rank();
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set row_mean and row_rstd in every lane, and store them, once. warp.shfl_down(value, d) is what the
  // lane d further on has in `value`, warp.shfl(value, 0) what lane 0 has; all 32 must call them.
  // FILL ME IN: statistics (roughly 12 lines)

  __shared__ Moments parts[kRowsPerBlock];
  Moments m{};
  for (int c = threadIdx.x; c < columns; c += kThreads) m = with_value(m, x_row[c]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    m = merged(m, {warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance),
                   warp.shfl_down(m.squares, distance)});
  if (lane == 0) {
    parts[threadIdx.x / kWarp].count = m.count;
    parts[threadIdx.x / kWarp].mean = m.mean;
    parts[threadIdx.x / kWarp].squares = m.squares;
  }
  __syncthreads();
  m = parts[0];
  for (int i = 1; i < kRowsPerBlock; ++i) m = merged(m, parts[i]);
  row_mean = m.mean;
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (threadIdx.x == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Given: as on the rung before.
  for (int c = threadIdx.x; c < columns; c += kThreads)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[c] + beta[c]);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
