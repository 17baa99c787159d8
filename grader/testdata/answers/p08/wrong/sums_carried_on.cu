// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The sums are set to 0 before the loop over the rows and not in it: each further row of a warp starts with those of its last.
// SAYS: rows?|elements
// SAYS: second|further|carried|begins? anew|in front of
// NEVER: \brace\b|never written
// HELD: no
// p08: LayerNorm with a fixed number of warps which go through the rows: nobody starts blocks that do little.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kBlock = 128;
constexpr int kWarpsOfBlock = kBlock / 32;

__device__ float warp_total(float v) {
#pragma unroll
  for (int mask = 1; mask < 32; mask *= 2) v += __shfl_xor_sync(~0u, v, mask);
  return v;
}

__global__ void layernorm_persistent(const float* __restrict__ x, const float* __restrict__ gamma,
                                     const float* __restrict__ beta, float* __restrict__ out,
                                     float* __restrict__ mean, float* __restrict__ rstd, int rows, int columns,
                                     float eps) {
  const int lane = threadIdx.x & 31;
  const int warps = gridDim.x * kWarpsOfBlock;
  const float inverse_n = 1.0f / columns;
  float sum = 0.0f, squares = 0.0f;
  for (int row = blockIdx.x * kWarpsOfBlock + (threadIdx.x >> 5); row < rows; row += warps) {
    const float* in = x + static_cast<size_t>(row) * columns;
    float* to = out + static_cast<size_t>(row) * columns;

    for (int c = lane; c < columns; c += 32) sum += in[c];
    const float m = warp_total(sum) * inverse_n;
    for (int c = lane; c < columns; c += 32) {
      const float centred = in[c] - m;
      squares += centred * centred;
    }
    const float r = rsqrtf(warp_total(squares) * inverse_n + eps);

    if (lane == 0) mean[row] = m, rstd[row] = r;
    for (int c = lane; c < columns; c += 32) to[c] = (in[c] - m) * r * gamma[c] + beta[c];
  }
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd, int rows,
               int columns, float eps) {
  const int blocks = std::min((rows + kWarpsOfBlock - 1) / kWarpsOfBlock, 132);
  layernorm_persistent<<<blocks, kBlock>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
