// ENTRY: kernel
// CLASS: index
// CAUSE: Sixteen lanes have a row, and the shuffles begin at distance 16 instead of 8.
// SAYS: / 2|half|distance
// NEVER: race|barrier
// HELD: no
// p10: LayerNorm in one launch. Half a warp works on each row, so that short rows keep more lanes busy.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
#include <cuda_runtime.h>

namespace {

constexpr int kLanes = 16;  // that share a row
constexpr int kBlock = 128;
constexpr int kRows = kBlock / kLanes;  // of a block

// Sum over the kLanes lanes of a row, for each of them. Both halves of the warp call it together.
__device__ __forceinline__ float lanes_sum(float v) {
#pragma unroll
  for (int d = kLanes; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void __launch_bounds__(kBlock)
    half_warp_layernorm(const float* __restrict__ x, const float* __restrict__ gamma,
                        const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                        float* __restrict__ rstd, int rows, int columns, float eps) {
  const int lane = threadIdx.x % kLanes;
  const int row = blockIdx.x * kRows + threadIdx.x / kLanes;
  const bool mine = row < rows;
  const int n = mine ? columns : 0;  // no early return: the other half of the warp still shuffles with us
  const size_t base = mine ? static_cast<size_t>(row) * columns : 0;
  const float* src = x + base;
  float* dst = out + base;

  float acc = 0.0f;
#pragma unroll 4
  for (int c = lane; c < n; c += kLanes) acc += src[c];
  const float mu = lanes_sum(acc) / columns;

  acc = 0.0f;
#pragma unroll 4
  for (int c = lane; c < n; c += kLanes) {
    const float d = src[c] - mu;
    acc += d * d;
  }
  const float inv = rsqrtf(lanes_sum(acc) / columns + eps);

  if (mine && lane == 0) {
    mean[row] = mu;
    rstd[row] = inv;
  }
  for (int c = lane; c < n; c += kLanes) dst[c] = (src[c] - mu) * inv * gamma[c] + beta[c];
}

}  // namespace

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kRows - 1) / kRows;
  half_warp_layernorm<<<blocks, kBlock>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
