// ENTRY: kernel
// CLASS: tail
// CAUSE: the unrolled loop of the sum stops at a different chunk for each thread, but the remainder loop starts at the same place for all of them, so columns are added twice when N mod 256 is greater than 192.
// SAYS: going on|where the loop|twice
// SAYS: c
// NEVER: barrier|race
// HELD: no
#include <cuda_runtime.h>

// One small block (two warps) for each row; four loads in flight for each thread while the row lasts.
constexpr int T = 64;
constexpr int U = 4;

__device__ __forceinline__ float sum_of_two_warps(float v) {
  __shared__ float half[2];
#pragma unroll
  for (int s = 1; s < 32; s <<= 1) v += __shfl_xor_sync(0xffffffffu, v, s);
  if ((threadIdx.x & 31) == 0) half[threadIdx.x >> 5] = v;
  __syncthreads();
  return half[0] + half[1];
}

__global__ void __launch_bounds__(T) rms_scale(const float* __restrict__ in, const float* __restrict__ w,
                                               float* __restrict__ dst, int n, float eps) {
  const size_t at = static_cast<size_t>(blockIdx.x) * n;
  const float* src = in + at;
  float* to = dst + at;
  const int t = threadIdx.x;

  float acc[U] = {0.f, 0.f, 0.f, 0.f};
  for (int c = t; c + (U - 1) * T < n; c += U * T) {
    float v[U];
#pragma unroll
    for (int u = 0; u < U; ++u) v[u] = src[c + u * T];
#pragma unroll
    for (int u = 0; u < U; ++u) acc[u] = fmaf(v[u], v[u], acc[u]);
  }
  for (int c = n / (U * T) * (U * T) + t; c < n; c += T) acc[0] = fmaf(src[c], src[c], acc[0]);

  const float total = sum_of_two_warps((acc[0] + acc[1]) + (acc[2] + acc[3]));
  const float k = rsqrtf(total / static_cast<float>(n) + eps);

#pragma unroll 4
  for (int c = t; c < n; c += T) to[c] = src[c] * k * w[c];
}

void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  rms_scale<<<rows, T>>>(x, weight, out, columns, eps);
}
