// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Tiles are 128 by 64, but blocks are skipped by blockIdx.x > blockIdx.y.
// SAYS: blockIdx
// NEVER: race|barrier
// HELD: no
// p36: attention scores from tiles that a block shares.
//
//   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)      for j <= i
//   qkv [B,T,3,NH,HS]: for each position its queries, keys and values of all heads      out [B,NH,T,T]
//
// A block makes 128 x 64 results, a thread 8 x 4 of them: 32 sums leave more registers than 64 do.
#include <cuda_runtime.h>

constexpr int kSide = 16;  // threads of a block in each direction
constexpr int kThreads = kSide * kSide;
constexpr int kDown = 8, kAcross = 4;  // results of a thread
constexpr int kTileI = kSide * kDown;    // 128 queries
constexpr int kTileJ = kSide * kAcross;  // 64 keys
constexpr int kPieces = 8;               // float4 of a row in a tile
constexpr int kPitch = kPieces + 1;

__device__ __forceinline__ void add_dot(float& sum, float4 a, float4 b) {
  sum = fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum))));
}

// Fills kRows rows of a tile, from row `top` and piece `left` on; zeros where there is nothing.
template <int kRows>
__device__ __forceinline__ void fill(float4 (&tile)[kRows][kPitch], const float4* __restrict__ from, size_t pitch,
                                     int top, int rows, int left, int pieces) {
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const int p = thread % kPieces;
#pragma unroll
  for (int r = thread / kPieces; r < kRows; r += kThreads / kPieces) {
    const bool there = top + r < rows && left + p < pieces;
    tile[r][p] = there ? from[(top + r) * pitch + left + p] : float4{};
  }
}

__global__ void __launch_bounds__(kThreads, 2)
    trimat_kernel(const float4* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  __shared__ float4 q_tile[kTileI][kPitch], k_tile[kTileJ][kPitch];
  if (blockIdx.x > blockIdx.y) return;  // nobody looks above the diagonal
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  const int pieces = channels / 4;
  const size_t pitch = 3 * static_cast<size_t>(heads) * pieces;
  const float4* q = qkv + batch * positions * pitch + static_cast<size_t>(head) * pieces;
  const float4* k = q + static_cast<size_t>(heads) * pieces;
  const int top = blockIdx.y * kTileI, left = blockIdx.x * kTileJ;

  float sum[kDown][kAcross] = {};
  for (int first = 0; first < pieces; first += kPieces) {
    fill(q_tile, q, pitch, top, positions, first, pieces);
    fill(k_tile, k, pitch, left, positions, first, pieces);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      float4 keys[kAcross];
#pragma unroll
      for (int b = 0; b < kAcross; ++b) keys[b] = k_tile[threadIdx.x + b * kSide][p];
#pragma unroll
      for (int a = 0; a < kDown; ++a) {
        const float4 query = q_tile[threadIdx.y + a * kSide][p];
#pragma unroll
        for (int b = 0; b < kAcross; ++b) add_dot(sum[a][b], query, keys[b]);
      }
    }
    __syncthreads();
  }

  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
#pragma unroll
  for (int a = 0; a < kDown; ++a) {
    const int i = top + threadIdx.y + a * kSide;
    if (i >= positions) break;
#pragma unroll
    for (int b = 0; b < kAcross; ++b) {
      const int j = left + threadIdx.x + b * kSide;
      if (j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  }
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const dim3 grid((positions + kTileJ - 1) / kTileJ, (positions + kTileI - 1) / kTileI, batch * heads);
  trimat_kernel<<<grid, dim3(kSide, kSide)>>>(reinterpret_cast<const float4*>(qkv), out, positions, heads,
                                              channels);
}
