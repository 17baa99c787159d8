// STYLE: cp.async into two stages of 16 channels in dynamic shared memory
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kSide = 16, kThreads = 256, kEach = 8, kTile = 128, kDeep = 16, kPitch = kDeep + 4;
constexpr int kStage = 2 * kTile * kPitch;

__global__ void __launch_bounds__(kThreads)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads, int channels) {
  extern __shared__ float4 room[];
  float* stages = reinterpret_cast<float*>(room);
  if (blockIdx.x > blockIdx.y) return;
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads, thread = threadIdx.y * kSide + threadIdx.x;
  const size_t pitch = 3 * static_cast<size_t>(heads) * channels;
  const float* q = qkv + batch * positions * pitch + static_cast<size_t>(head) * channels;
  const int first_i = blockIdx.y * kTile, first_j = blockIdx.x * kTile;
  // FILL ME IN: load_tiles (roughly 9 lines)
  const auto fetch = [&](int t) {
    float* to = stages + t % 2 * kStage;
    for (int n = thread; n < 2 * kTile * kDeep / 4; n += kThreads) {
      const int r = n / (kDeep / 4), c = n % (kDeep / 4) * 4, from = t * kDeep + c;
      const int position = r < kTile ? first_i + r : first_j + r - kTile;
      float* place = to + r * kPitch + c;
      if (position < positions && from < channels)
        __pipeline_memcpy_async(place, q + position * pitch + from + (r < kTile ? 0 : static_cast<size_t>(heads) * channels), 16);
      else
        *reinterpret_cast<float4*>(place) = {};
    }
    __pipeline_commit();
  };
  const int tiles = (channels + kDeep - 1) / kDeep;
  fetch(0);
  // END: load_tiles
  float sum[kEach][kEach] = {};
  // FILL ME IN: multiply (roughly 12 lines)
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) fetch(t + 1);
    __pipeline_wait_prior(t + 1 < tiles ? 1 : 0);
    __syncthreads();
    const float *qs = stages + t % 2 * kStage, *ks = qs + kTile * kPitch;
    for (int c = 0; c < kDeep; c += 4) {
      float4 of_q[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) of_q[a] = *reinterpret_cast<const float4*>(qs + (threadIdx.y + a * kSide) * kPitch + c);
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 of_k = *reinterpret_cast<const float4*>(ks + (threadIdx.x + b * kSide) * kPitch + c);
#pragma unroll
        for (int a = 0; a < kEach; ++a)
          sum[a][b] += of_q[a].x * of_k.x + of_q[a].y * of_k.y + of_q[a].z * of_k.z + of_q[a].w * of_k.w;
      }
    }
    __syncthreads();
  }
  // END: multiply
  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + threadIdx.y + a * kSide, j = first_j + threadIdx.x + b * kSide;
      if (i < positions && j < positions)
        out[(static_cast<size_t>(blockIdx.z) * positions + i) * positions + j] = sum[a][b] / sqrtf(float(channels));
    }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide), 2 * kStage * sizeof(float)>>>(
      qkv, out, positions, heads, channels);
}
