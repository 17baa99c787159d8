// ENTRY: kernel
// CLASS: index
// CAUSE: A thread's rows are queries and its columns keys, but the names for the two tiles are exchanged, so that rows are taken from k's tile and columns from q's
// SAYS: k_tile and q_tile exchanged|exchanged
// SAYS: tile
// NEVER: race|barrier
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

  for (int first = 0; first < pieces; first += kPieces) {
    // Must leave q_tile[r][p] = q of row first_i + r, piece first + p, and k_tile likewise from first_j on;
    // zeros where there is no such row or piece.
    // FILL ME IN: load_tiles (roughly 7 lines)
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces;
      const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      const bool piece = first + p < pieces;
      q_tile[r][p] = piece && first_i + r < positions ? q[(first_i + r) * pitch + first + p] : zero;
      k_tile[r][p] = piece && first_j + r < positions ? k[(first_j + r) * pitch + first + p] : zero;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    const auto &left = k_tile, &right = q_tile;
    for (int p = 0; p < kPieces; ++p) {
      float4 rows[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) rows[a] = left[threadIdx.y + a * kSide][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 key = right[threadIdx.x + b * kSide][p];
#pragma unroll
        for (int a = 0; a < kEach; ++a) sum[a][b] += dot(rows[a], key);
      }
    }
    __syncthreads();
    // END: multiply
  }

  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + threadIdx.y + a * kSide;
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int j = first_j + threadIdx.x + b * kSide;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
