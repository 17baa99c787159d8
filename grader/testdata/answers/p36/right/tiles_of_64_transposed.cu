// STYLE: tiles of 64, 4 x 4 results a thread, 16 channels kept transposed with a pad of one
#include <cuda_runtime.h>

constexpr int kTile = 64, kDeep = 16, kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    scores(const float* __restrict__ qkv, float* __restrict__ out, int T, int NH, int HS) {
  __shared__ float qs[kDeep][kTile + 1], ks[kDeep][kTile + 1];
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile, x = threadIdx.x % 16, y = threadIdx.x / 16;
  if (col0 > row0) return;
  const long pitch = 3L * NH * HS;
  const float* q = qkv + (blockIdx.z / NH) * T * pitch + (blockIdx.z % NH) * HS;
  const float* k = q + NH * HS;
  float sum[4][4] = {};
  for (int c0 = 0; c0 < HS; c0 += kDeep) {
    // FILL ME IN: load_tiles (roughly 9 lines)
    for (int n = threadIdx.x; n < kTile * kDeep; n += kThreads) {
      const int r = n / kDeep, c = n % kDeep;
      qs[c][r] = row0 + r < T && c0 + c < HS ? q[(row0 + r) * pitch + c0 + c] : 0.0f;
      ks[c][r] = col0 + r < T && c0 + c < HS ? k[(col0 + r) * pitch + c0 + c] : 0.0f;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    for (int c = 0; c < kDeep; ++c)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) sum[a][b] += qs[c][y + 16 * a] * ks[c][x + 16 * b];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 7 lines)
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const int i = row0 + y + 16 * a, j = col0 + x + 16 * b;
      if (i < T && j < T) out[(long(blockIdx.z) * T + i) * T + j] = sum[a][b] / sqrtf(HS);
    }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int n = (positions + kTile - 1) / kTile;
  scores<<<dim3(n, n, batch * heads), kThreads>>>(qkv, out, positions, heads, channels);
}
