// ENTRY: kernel
// CLASS: index
// CAUSE: The grid-stride loop over rows advances by gridDim.x * blockDim.x (threads) although one warp takes one row, so it must advance by the number of warps; later rows are never computed.
// SAYS: / 32|number of warps
// SAYS: stride|line
// NEVER: barrier|race
// HELD: no
#include <cuda_runtime.h>

namespace {

constexpr unsigned kFull = 0xffffffffu;

template <typename F>
__device__ float over_row(int lane, int n, F term) {
  float acc = 0.0f;
#pragma unroll 4
  for (int j = lane; j < n; j += 32) acc += term(j);
#pragma unroll
  for (int off = 16; off; off >>= 1) acc += __shfl_xor_sync(kFull, acc, off);
  return acc;
}

template <int kWarpsInBlock>
__global__ void __launch_bounds__(32 * kWarpsInBlock)
    ln_warp(const float* __restrict__ in, const float* __restrict__ g, const float* __restrict__ b,
            float* __restrict__ dst, float* __restrict__ mu, float* __restrict__ inv, int m, int n, float eps) {
  const int lane = threadIdx.x & 31;
  const int stride = gridDim.x * blockDim.x;
  for (int r = blockIdx.x * kWarpsInBlock + (threadIdx.x >> 5); r < m; r += stride) {
    const float* src = in + static_cast<size_t>(r) * n;
    float* to = dst + static_cast<size_t>(r) * n;
    const float center = over_row(lane, n, [&](int j) { return src[j]; }) / n;
    const float spread = over_row(lane, n, [&](int j) {
      const float d = src[j] - center;
      return d * d;
    });
    const float scale = rsqrtf(spread / n + eps);
    if (lane == 0) {
      mu[r] = center;
      inv[r] = scale;
    }
    for (int j = lane; j < n; j += 32) __stcs(to + j, (__ldcs(src + j) - center) * scale * g[j] + b[j]);
  }
}

}  // namespace

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  constexpr int kWarpsInBlock = 8, kRowsOfWarp = 2;
  const int per_block = kWarpsInBlock * kRowsOfWarp;
  ln_warp<kWarpsInBlock><<<(rows + per_block - 1) / per_block, 32 * kWarpsInBlock>>>(
      x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
