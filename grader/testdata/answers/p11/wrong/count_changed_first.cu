// ENTRY: kernel
// CLASS: scaling
// CAUSE: Two parts are merged with the count that both have, where that of one belongs.
// SAYS: count is changed first
// NEVER: race|eps
// HELD: no
// p11: LayerNorm, fourth rung: mean and variance from one reading of the row.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kRowsPerBlock = 8;
constexpr unsigned kAll = 0xffffffffu;

// Welford: how many values, their mean, and the sum of their squares around that mean.
struct Moments {
  float count = 0.0f, mean = 0.0f, squares = 0.0f;

  __device__ void add(float value) {
    count += 1.0f;
    const float before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }

  // Chan's formula. Either side may be empty.
  __device__ void add(const Moments& other) {
    const float together = count + other.count;
    if (together == 0.0f) return;
    const float between = other.mean - mean;
    count = together;
    mean += between * (other.count / together);
    squares += other.squares + between * between * (count * other.count / together);
  }
};

__device__ Moments from_lane_below(const Moments& mine, int distance) {
  Moments theirs;
  theirs.count = __shfl_down_sync(kAll, mine.count, distance);
  theirs.mean = __shfl_down_sync(kAll, mine.mean, distance);
  theirs.squares = __shfl_down_sync(kAll, mine.squares, distance);
  return theirs;
}

// Thread (x, y): lane x of the warp that has the block's y-th row.
__global__ void __launch_bounds__(kWarp* kRowsPerBlock)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.y;
  if (row >= rows) return;  // a whole warp leaves, and no other one waits for it
  const int lane = threadIdx.x;
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;

  Moments moments;
  for (int c = lane; c < columns; c += kWarp) moments.add(x_row[c]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    moments.add(from_lane_below(moments, distance));

  // Lane 0 has them all; it tells the others.
  const float row_mean = __shfl_sync(kAll, moments.mean, 0);
  const float row_rstd = rsqrtf(__shfl_sync(kAll, moments.squares, 0) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }

  for (int c = lane; c < columns; c += kWarp)
    __stcs(out_row + c, (__ldcs(x_row + c) - row_mean) * row_rstd * gamma[c] + beta[c]);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  layernorm_kernel<<<blocks, dim3(kWarp, kRowsPerBlock)>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
