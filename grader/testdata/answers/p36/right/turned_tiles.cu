// STYLE: tiles of 16 channels stored turned, swizzled in groups of eight rows, over the triangle alone
// p36: attention scores. A block has 128 x 128 results and takes 16 channels at a time; the tiles lie turned,
// [channel][row], so that a thread reads four rows at once. Only blocks that meet the triangle are launched.
#include <cuda_runtime.h>

constexpr int kRows = 128;     // of a tile
constexpr int kChannels = 16;  // of a tile
constexpr int kThreads = 256;

using Tile = float[kChannels][kRows];

// Where row r of channel c lies: groups of eight rows change places, by the piece that c belongs to, so that
// the 8 rows x 4 pieces that a warp stores lie in 32 banks. Four rows side by side stay side by side.
__device__ __forceinline__ int place(int c, int r) { return r ^ (c / 4 * 8); }

__device__ __forceinline__ void fill(Tile& tile, const float4* __restrict__ from, size_t pitch, int first_row,
                                     int rows, int first_piece, int pieces) {
  const int p = threadIdx.x % 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int r = threadIdx.x / 4 + half * (kRows / 2);
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (first_row + r < rows && first_piece + p < pieces)
      v = from[static_cast<size_t>(first_row + r) * pitch + first_piece + p];
    const int at = place(4 * p, r);
    tile[4 * p][at] = v.x;
    tile[4 * p + 1][at] = v.y;
    tile[4 * p + 2][at] = v.z;
    tile[4 * p + 3][at] = v.w;
  }
}

// Rows 4 t .. 4 t + 3 and 64 + 4 t .. 64 + 4 t + 3.
__device__ __forceinline__ void pick(float (&to)[8], const Tile& tile, int c, int t) {
  const float4 low = *reinterpret_cast<const float4*>(&tile[c][place(c, 4 * t)]);
  const float4 high = *reinterpret_cast<const float4*>(&tile[c][place(c, 64 + 4 * t)]);
  to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
  to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

__global__ void __launch_bounds__(kThreads, 2)
    lower_scores(const float4* __restrict__ qkv, float* __restrict__ out, int positions, int heads, int pieces) {
  __shared__ __align__(16) Tile q_tile, k_tile;

  // Number t of the blocks of a triangle, row by row: row `down` has down + 1 of them.
  const long t = blockIdx.x;
  int down = static_cast<int>((sqrtf(8.0f * static_cast<float>(t) + 1.0f) - 1.0f) * 0.5f);
  while (static_cast<long>(down) * (down + 1) / 2 > t) --down;
  while (static_cast<long>(down + 1) * (down + 2) / 2 <= t) ++down;
  const int right = static_cast<int>(t - static_cast<long>(down) * (down + 1) / 2);

  const int first_i = down * kRows, first_j = right * kRows;
  const size_t pitch = 3 * static_cast<size_t>(heads) * pieces;
  const float4* q = qkv + (blockIdx.y / heads) * (positions * pitch) +
                    static_cast<size_t>(blockIdx.y % heads) * pieces;
  const float4* k = q + static_cast<size_t>(heads) * pieces;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;

  float sum[8][8] = {};
#pragma unroll 1
  for (int first = 0; first < pieces; first += kChannels / 4) {
    fill(q_tile, q, pitch, first_i, positions, first, pieces);
    fill(k_tile, k, pitch, first_j, positions, first, pieces);
    __syncthreads();
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      float qs[8], ks[8];
      pick(qs, q_tile, c, ty);
      pick(ks, k_tile, c, tx);
#pragma unroll
      for (int a = 0; a < 8; ++a)
#pragma unroll
        for (int b = 0; b < 8; ++b) sum[a][b] += qs[a] * ks[b];
    }
    __syncthreads();
  }

  const float scale = 1.0f / sqrtf(4.0f * static_cast<float>(pieces));
  float* scores = out + static_cast<size_t>(blockIdx.y) * positions * positions;
  const bool whole = positions % 4 == 0;  // then four results side by side begin at a multiple of 16 bytes
#pragma unroll
  for (int a = 0; a < 8; ++a) {
    const int i = first_i + a / 4 * 64 + 4 * ty + a % 4;
    if (i >= positions) continue;
    float* row = scores + static_cast<size_t>(i) * positions;
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const int j = first_j + side * 64 + 4 * tx;
      const float four[4] = {sum[a][4 * side] * scale, sum[a][4 * side + 1] * scale, sum[a][4 * side + 2] * scale,
                             sum[a][4 * side + 3] * scale};
      if (whole) {  // what stands above the diagonal beside a result is nobody's
        if (j <= i) *reinterpret_cast<float4*>(row + j) = make_float4(four[0], four[1], four[2], four[3]);
      } else {
#pragma unroll
        for (int b = 0; b < 4; ++b)
          if (j + b <= i) row[j + b] = four[b];
      }
    }
  }
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const long side = (positions + kRows - 1) / kRows;
  const dim3 grid(static_cast<unsigned>(side * (side + 1) / 2), batch * heads);
  lower_scores<<<grid, kThreads>>>(reinterpret_cast<const float4*>(qkv), out, positions, heads, channels / 4);
}
