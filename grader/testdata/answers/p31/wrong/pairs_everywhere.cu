// ENTRY: kernel
// CLASS: pointer
// CAUSE: Pieces of 16 bytes are taken without asking whether the rows allow it: with a number of columns that is no multiple of 4 they are misaligned, and columns are lost.
// SAYS: aligned|multiple|float4|16 bytes|columns
// NEVER: \brace\b|gamma stands
// HELD: no
#include <cuda_runtime.h>

__global__ void vectors(const float* dy, const float* x, const float* gamma, const float* mean,
                        const float* rstd, float* dx, int columns) {
  __shared__ float2 part[32];
  const size_t at = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: load_row (roughly 5 lines)
  float4 g[4], h[4];
  float2 s{};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int c = 4 * (threadIdx.x + k * blockDim.x);
    g[k] = h[k] = float4{};
    if (c >= columns) continue;
    const float4 d = *reinterpret_cast<const float4*>(dy + at + c), w = *reinterpret_cast<const float4*>(gamma + c),
                 v = *reinterpret_cast<const float4*>(x + at + c);
    const float m = mean[blockIdx.x], r = rstd[blockIdx.x];
    g[k] = {d.x * w.x, d.y * w.y, d.z * w.z, d.w * w.w};
    h[k] = {(v.x - m) * r, (v.y - m) * r, (v.z - m) * r, (v.w - m) * r};
    s.x += g[k].x + g[k].y + g[k].z + g[k].w;
    s.y += g[k].x * h[k].x + g[k].y * h[k].y + g[k].z * h[k].z + g[k].w * h[k].w;
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int d = 16; d; d /= 2) s.x += __shfl_xor_sync(~0u, s.x, d), s.y += __shfl_xor_sync(~0u, s.y, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  s = {};
  for (int w = 0; w < blockDim.x / 32; ++w) s.x += part[w].x, s.y += part[w].y;
  s.x /= columns;
  s.y /= columns;
  // END: means
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int c = 4 * (threadIdx.x + k * blockDim.x);
    if (c >= columns) continue;
    const float r = rstd[blockIdx.x];
    *reinterpret_cast<float4*>(dx + at + c) = {
        r * (g[k].x - s.x - h[k].x * s.y), r * (g[k].y - s.x - h[k].y * s.y), r * (g[k].z - s.x - h[k].z * s.y),
        r * (g[k].w - s.x - h[k].w * s.y)};
  }
// END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  vectors<<<rows, columns <= 2048 ? 128 : 1024>>>(dy, x, gamma, mean, rstd, dx, columns);
}
