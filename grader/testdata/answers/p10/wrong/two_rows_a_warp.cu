// ENTRY: kernel
// CLASS: mask
// CAUSE: Two rows share a warp, but the shuffles begin at distance 16 and not at 8, so that the sums of both rows are added together.
// HELD: no
// SAYS: distance|offset|\b16\b|\b8\b|two rows|both rows|other row|half
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kLanes = 16;  // of a row: a warp has two rows
constexpr int kRowsPerBlock = kThreads / kLanes;

// The sum of `value` over the 16 lanes that share a row, in each of them. The whole warp must call it.
__device__ float sum_of_row(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

// Grid: enough blocks of kThreads threads for a warp per row. `__restrict__` promises that no two of these
// tensors overlap: loads may be moved ahead of stores then.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  const bool there = row < rows;
  const int mine = there ? columns : 0;  // lanes without a row stay for the shuffles
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set row_mean and row_rstd in every lane, and store them, once. cg::reduce(warp, value,
  // cg::plus<float>()) is the sum of `value` over the warp, for each of its lanes; all 32 must call it.
  // FILL ME IN: statistics (roughly 10 lines)
  float sum = 0.0f;
  for (int c = lane; c < mine; c += kLanes) sum += x_row[c];
  row_mean = sum_of_row(sum) / columns;
  float squares = 0.0f;
  for (int c = lane; c < mine; c += kLanes) {
    const float delta = x_row[c] - row_mean;
    squares += delta * delta;
  }
  row_rstd = 1.0f / sqrtf(sum_of_row(squares) / columns + eps);
  if (lane == 0 && there) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics

  // Must write every out_row[c]. __ldcs and __stcs are a load and a store that tell the cache: not again.
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = lane; c < mine; c += kLanes)
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
