// ENTRY: kernel
// CLASS: barrier
// CAUSE: A thread without a row of results must stay, for it fetches pieces of the tiles for others and belongs to the barriers, but here it leaves
// SAYS: return;.*left out|return
// SAYS: barrier|stands before
// NEVER: allocat
// HELD: no
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8, kThreads = kAcross * kDown;
constexpr int kTile = 64;                                           // results of a block in each direction
constexpr int kRowsEach = kTile / kDown, kColsEach = kTile / kAcross;  // results of a thread: 8 x 2
constexpr int kPieces = 8;

__global__ void __launch_bounds__(kThreads)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  __shared__ float4 q_tile[kTile][kPieces + 1];
  __shared__ float4 k_tile[kTile][kPieces + 1];
  if (blockIdx.x > blockIdx.y) return;
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_i = blockIdx.y * kTile, first_j = blockIdx.x * kTile;
  if (first_i + y >= positions) return;
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  const int pieces = channels / 4;
  const size_t pitch = static_cast<size_t>(heads) * pieces * 3;
  const float4* q = reinterpret_cast<const float4*>(qkv) + pitch * positions * batch + head * pieces;
  const float4* k = q + heads * pieces;

  float sum[kRowsEach][kColsEach] = {};
  for (int first = 0; first < pieces; first += kPieces) {
    // FILL ME IN: load_tiles (roughly 7 lines)
    const int p = x % kPieces;
    for (int r = (y * kAcross + x) / kPieces; r < kTile; r += kThreads / kPieces) {
      float4 a{}, b{};
      if (first + p < pieces) {
        if (first_i + r < positions) a = q[(first_i + r) * pitch + first + p];
        if (first_j + r < positions) b = k[(first_j + r) * pitch + first + p];
      }
      q_tile[r][p] = a;
      k_tile[r][p] = b;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    for (int s = 0; s < kPieces; ++s) {
      const float4 k0 = k_tile[x][s], k1 = k_tile[x + kAcross][s];
#pragma unroll
      for (int i = 0; i < kRowsEach; ++i) {
        const float4 u = q_tile[y + i * kDown][s];
        sum[i][0] += u.x * k0.x + u.y * k0.y + u.z * k0.z + u.w * k0.w;
        sum[i][1] += u.x * k1.x + u.y * k1.y + u.z * k1.z + u.w * k1.w;
      }
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 7 lines)
  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i)
#pragma unroll
    for (int j = 0; j < kColsEach; ++j) {
      const int row = first_i + y + i * kDown, column = first_j + x + j * kAcross;
      if (row < positions && column <= row)
        scores[static_cast<size_t>(row) * positions + column] = sum[i][j] * scale;
    }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kAcross, kDown)>>>(qkv, out, positions, heads,
                                                                             channels);
}
