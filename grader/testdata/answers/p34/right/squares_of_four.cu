// STYLE: 4 x 4 results a thread, rows that do not exist are zeros, whole tiles on the diagonal
#include <cuda_runtime.h>

constexpr int kEach = 4, kSide = 16, kTile = kSide * kEach;

__global__ void __launch_bounds__(kSide * kSide)
    scores(const float* __restrict__ qkv, float* __restrict__ out, int T, int NH, int HS) {
  if (blockIdx.x > blockIdx.y) return;
  const size_t pitch = size_t(3) * NH * HS;
  const float* q = qkv + (blockIdx.z / NH) * T * pitch + size_t(blockIdx.z % NH) * HS;
  const float* k = q + size_t(NH) * HS;
  const int i0 = blockIdx.y * kTile + threadIdx.y * kEach, j0 = blockIdx.x * kTile + threadIdx.x * kEach;
  float sum[kEach][kEach] = {};
  // FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < HS; ++c) {
    float of_q[kEach], of_k[kEach];
    for (int n = 0; n < kEach; ++n) {
      of_q[n] = i0 + n < T ? q[(i0 + n) * pitch + c] : 0.0f;
      of_k[n] = j0 + n < T ? k[(j0 + n) * pitch + c] : 0.0f;
    }
    for (int a = 0; a < kEach; ++a)
      for (int b = 0; b < kEach; ++b) sum[a][b] = fmaf(of_q[a], of_k[b], sum[a][b]);
  }
  // END: products
  // FILL ME IN: store (roughly 7 lines)
  for (int a = 0; a < kEach; ++a)
    for (int b = 0; b < kEach; ++b)
      if (i0 + a < T && j0 + b < T)
        out[(size_t(blockIdx.z) * T + i0 + a) * T + j0 + b] = sum[a][b] / sqrtf(float(HS));
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  scores<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads, channels);
}
