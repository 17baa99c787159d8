// STYLE: both tiles kept with the channel first and without padding; rows of four side by side, read as float4
#include <cuda_runtime.h>

constexpr int kTile = 128, kDeep = 32, kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int T, int NH, int HS) {
  __shared__ __align__(16) float As[kDeep][kTile];
  __shared__ __align__(16) float Bs[kDeep][kTile];
  if (blockIdx.x > blockIdx.y) return;
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int m0 = blockIdx.y * kTile, n0 = blockIdx.x * kTile;
  const size_t ld = size_t(3) * NH * HS;
  const float* A = qkv + size_t(blockIdx.z / NH) * T * ld + size_t(blockIdx.z % NH) * HS;
  const float* B = A + size_t(NH) * HS;
  float acc[8][8] = {};
  for (int k0 = 0; k0 < HS; k0 += kDeep) {
    // FILL ME IN: load_tiles (roughly 9 lines)
    for (int n = tid; n < kTile * kDeep / 4; n += kThreads) {
      const int r = n / (kDeep / 4), c = n % (kDeep / 4) * 4;
      float4 a = make_float4(0, 0, 0, 0), b = a;
      if (k0 + c < HS) {
        if (m0 + r < T) a = *reinterpret_cast<const float4*>(A + (m0 + r) * ld + k0 + c);
        if (n0 + r < T) b = *reinterpret_cast<const float4*>(B + (n0 + r) * ld + k0 + c);
      }
      As[c][r] = a.x, As[c + 1][r] = a.y, As[c + 2][r] = a.z, As[c + 3][r] = a.w;
      Bs[c][r] = b.x, Bs[c + 1][r] = b.y, Bs[c + 2][r] = b.z, Bs[c + 3][r] = b.w;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
#pragma unroll 4
    for (int k = 0; k < kDeep; ++k) {
      float a[8], b[8];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        *reinterpret_cast<float4*>(a + 4 * half) = *reinterpret_cast<const float4*>(&As[k][64 * half + 4 * ty]);
        *reinterpret_cast<float4*>(b + 4 * half) = *reinterpret_cast<const float4*>(&Bs[k][64 * half + 4 * tx]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int m = m0 + i / 4 * 64 + 4 * ty + i % 4;
    float* row = out + (size_t(blockIdx.z) * T + m) * T;
    if (m >= T) continue;
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int n = n0 + j * 16 + 4 * tx;
      const float scale = rsqrtf(HS);
      if (n > m) continue;
      if (T % 4 == 0)
        *reinterpret_cast<float4*>(row + n) =
            make_float4(acc[i][j] * scale, acc[i][j + 1] * scale, acc[i][j + 2] * scale, acc[i][j + 3] * scale);
      else
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if (n + e <= m) row[n + e] = acc[i][j + e] * scale;
    }
  }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), kThreads>>>(qkv, out, positions, heads, channels);
}
