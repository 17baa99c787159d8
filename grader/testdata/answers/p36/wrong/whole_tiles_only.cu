// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop stops before the last tile of channels if that is not full.
// SAYS: channel|32|piece|tile
// SAYS: last|whole|tail|full|behind|only
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
#include <cuda_runtime.h>

constexpr int kSide = 16;  // threads of a block in each direction
constexpr int kThreads = kSide * kSide;
constexpr int kEach = 8;              // results of a thread in each direction
constexpr int kTile = kSide * kEach;  // results of a block in each direction
constexpr int kPieces = 8;            // of a row in a tile; a piece is a float4, four channels
constexpr int kPitch = kPieces + 1;   // from one row of a tile to the next: see the lesson on banks

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__global__ void __launch_bounds__(kThreads, 2)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  __shared__ float4 q_tile[kTile][kPitch], k_tile[kTile][kPitch];
  if (blockIdx.x > blockIdx.y) return;  // all of the block lies above the diagonal
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  // In pieces: those of one head's row, and those from one position to the next.
  [[maybe_unused]] const int pieces = channels / 4;
  [[maybe_unused]] const size_t pitch = 3 * static_cast<size_t>(heads) * pieces;
  [[maybe_unused]] const float4* q =
      reinterpret_cast<const float4*>(qkv) + batch * positions * pitch + static_cast<size_t>(head) * pieces;
  [[maybe_unused]] const float4* k = q + static_cast<size_t>(heads) * pieces;
  [[maybe_unused]] float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
  [[maybe_unused]] const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  [[maybe_unused]] const int thread = threadIdx.y * kSide + threadIdx.x;
  [[maybe_unused]] const int first_i = blockIdx.y * kTile, first_j = blockIdx.x * kTile;  // the block's
  // sum[a][b] belongs to row first_i + threadIdx.y + a * kSide, column first_j + threadIdx.x + b * kSide.
  [[maybe_unused]] float sum[kEach][kEach] = {};

  for (int first = 0; first + kPieces <= pieces; first += kPieces) {
    // Must leave q_tile[r][p] = q of row first_i + r, piece first + p, and k_tile likewise from first_j on;
    // zeros where there is no such row or piece.
    // FILL ME IN: load_tiles (roughly 7 lines)
    // Eight lanes fetch 128 bytes of one row.
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces, i = first_i + r, j = first_j + r;
      const bool inside = first + p < pieces;
      q_tile[r][p] = inside && i < positions ? q[i * pitch + first + p] : float4{};
      k_tile[r][p] = inside && j < positions ? k[j * pitch + first + p] : float4{};
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    for (int p = 0; p < kPieces; ++p) {
      float4 of_q[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) of_q[a] = q_tile[threadIdx.y + a * kSide][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 of_k = k_tile[threadIdx.x + b * kSide][p];
#pragma unroll
        for (int a = 0; a < kEach; ++a) sum[a][b] += dot(of_q[a], of_k);
      }
    }
    __syncthreads();
    // END: multiply
  }

  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + threadIdx.y + a * kSide, j = first_j + threadIdx.x + b * kSide;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
