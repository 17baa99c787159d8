// STYLE: only the blocks of the triangle launched, the scale in the queries
#include <cuda_runtime.h>

constexpr int kSide = 16, kEach = 4, kTile = kSide * kEach, kPieces = 8;

struct Strip {  // kTile rows of kPieces float4, and one for the banks
  float4 at[kTile][kPieces + 1];
};

__device__ __forceinline__ void accumulate(float& s, const float4& a, const float4& b) {
  s = fmaf(a.x, b.x, s);
  s = fmaf(a.y, b.y, s);
  s = fmaf(a.z, b.z, s);
  s = fmaf(a.w, b.w, s);
}

__global__ void __launch_bounds__(kSide* kSide)
    triangle_kernel(const float4* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                    int pieces, float scale) {
  __shared__ Strip q_strip, k_strip;
  int ti = 0, tj = blockIdx.x;  // tile number blockIdx.x of the triangle, row by row
  while (tj > ti) tj -= ++ti;
  const int i0 = ti * kTile, j0 = tj * kTile;
  const size_t pitch = size_t{3} * heads * pieces;
  const float4* q = qkv + (blockIdx.z * static_cast<size_t>(positions)) * pitch + blockIdx.y * pieces;
  const float4* k = q + heads * pieces;

  float sum[kEach][kEach] = {};
  for (int first = 0; first < pieces; first += kPieces) {
    // FILL ME IN: load_tiles (roughly 7 lines)
    const int p = threadIdx.x % kPieces;
    const bool channel = first + p < pieces;
    for (int r = threadIdx.x / kPieces; r < kTile; r += kSide * kSide / kPieces) {
      float4 a = make_float4(0, 0, 0, 0), b = a;
      if (channel && i0 + r < positions) a = q[(i0 + r) * pitch + first + p];
      if (channel && j0 + r < positions) b = k[(j0 + r) * pitch + first + p];
      q_strip.at[r][p] = make_float4(a.x * scale, a.y * scale, a.z * scale, a.w * scale);
      k_strip.at[r][p] = b;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    const int y = threadIdx.x / kSide, x = threadIdx.x % kSide;
#pragma unroll 2
    for (int s = 0; s < kPieces; ++s) {
      float4 key[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) key[e] = k_strip.at[x + e * kSide][s];
#pragma unroll
      for (int d = 0; d < kEach; ++d) {
        const float4 query = q_strip.at[y + d * kSide][s];
#pragma unroll
        for (int e = 0; e < kEach; ++e) accumulate(sum[d][e], query, key[e]);
      }
    }
    __syncthreads();
    // END: multiply
  }

  // FILL ME IN: store (roughly 7 lines)
  float* square = out + (blockIdx.z * static_cast<size_t>(heads) + blockIdx.y) * positions * positions;
#pragma unroll
  for (int n = 0; n < kEach * kEach; ++n) {
    const int d = n / kEach, e = n % kEach;
    const int i = i0 + d * kSide + threadIdx.x / kSide, j = j0 + e * kSide + threadIdx.x % kSide;
    if (j <= i && i < positions) square[static_cast<size_t>(i) * positions + j] = sum[d][e];
  }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const unsigned tiles = (positions + kTile - 1) / kTile;
  const dim3 grid(tiles * (tiles + 1) / 2, heads, batch);
  triangle_kernel<<<grid, kSide * kSide>>>(reinterpret_cast<const float4*>(qkv), out, positions, heads,
                                           channels / 4, 1.0f / sqrtf(static_cast<float>(channels)));
}
