// p36 trimat_shared, optimized: all channels of a tile at once, tiles that lie on their side, whole float4.
//
// What it does otherwise than the reference:
//
//   - Only blocks with something to do are launched: blockIdx.x counts the tiles on and below the diagonal.
//   - A tile has kDeep channels, all of a head of 64: one fill, one barrier. While a block fills, others of
//     its SM multiply.
//   - Tiles lie on their side, tile[channel][row]: for one channel a thread loads two float4 of each tile and
//     makes 64 products of them. The reference's dot(), whose sum begins anew every four channels, takes five
//     instructions for four products; here it is one for one.
//   - A thread has columns in fours, side by side, and stores 16 bytes at a time where rows allow it.
//
// What it buys on an H200, in us, T = 1024, HS = 64:
//
//                 12 heads (grader bench p36)    96 heads (bench/peers.py p36)
//   reference     38.6                           259
//   this          33.6                           209
#include <cuda_runtime.h>

constexpr int kTileM = 128;  // rows of results that a block makes, a multiple of kTileN
constexpr int kTileN = 64;   // columns of results that a block makes
constexpr int kDeep = 64;    // channels of a pair of tiles
constexpr int kBlocks = 4;   // that an SM should hold
constexpr int kUnroll = 8;   // channels of one round of the loop over them
constexpr int kAtOnce = 8;   // loads of a thread that wait together

constexpr int kEach = 8;  // rows and columns of a thread, in fours: the second half a half tile further
constexpr int kAcross = kTileN / kEach, kDown = kTileM / kEach, kThreads = kAcross * kDown;
constexpr int kPieces = kDeep / 4;  // 16 bytes each, of a row
// Of a tile, from channel to channel: 16 rows and two pieces of a row, which a warp fills, are in all banks.
constexpr int kPitchM = kTileM + 4, kPitchN = kTileN + 4;
constexpr int kSharedBytes = kDeep * (kPitchM + kPitchN) * sizeof(float);
static_assert(kTileM % kTileN == 0 && kThreads % 32 == 0 && kPieces % 2 == 0);

// Fills kRows rows of a tile; zeros where there is no such row or channel. Two lanes have a sector of a row.
template <int kRows>
__device__ void fill(float* tile, const float4* __restrict__ from, int rows_left, int pieces_left,
                     size_t pitch) {
  constexpr int kStep = kThreads / 2, kAll = kRows * kPieces / kThreads;
  constexpr int kRound = kAll < kAtOnce ? kAll : kAtOnce;
  static_assert(kRows * kPieces % kThreads == 0 && kAll % kRound == 0);
  for (int first = 0; first < kAll; first += kRound) {
    float4 four[kRound];
#pragma unroll
    for (int i = 0; i < kRound; ++i) {
      const int pair = (first + i) * kStep + threadIdx.x / 2;  // of pieces: down the rows, then along them
      const int r = pair % kRows, p = pair / kRows * 2 + threadIdx.x % 2;
      four[i] = r < rows_left && p < pieces_left ? from[r * pitch + p] : float4{};
    }
#pragma unroll
    for (int i = 0; i < kRound; ++i) {
      const int pair = (first + i) * kStep + threadIdx.x / 2;
      float* to = tile + (pair / kRows * 2 + threadIdx.x % 2) * 4 * (kRows + 4) + pair % kRows;
      to[0] = four[i].x;
      to[kRows + 4] = four[i].y;
      to[2 * (kRows + 4)] = four[i].z;
      to[3 * (kRows + 4)] = four[i].w;
    }
  }
}

__device__ void eight_of(float (&values)[kEach], const float* from, int half) {
  const float4 low = *reinterpret_cast<const float4*>(from);
  const float4 high = *reinterpret_cast<const float4*>(from + half);
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}

// Of the n-th of a thread's rows or columns, from its first.
__device__ constexpr int offset_of(int n, int tile) { return n % 4 + n / 4 * (tile / 2); }

// As what the caches may give up first: nobody here reads it.
__device__ void store_four(float* to, const float* sum, float scale) {
  __stcs(reinterpret_cast<float4*>(to),
         float4{sum[0] * scale, sum[1] * scale, sum[2] * scale, sum[3] * scale});
}

// The tile of rows that contains the n-th tile, if row i of tiles has `ratio` (i + 1) of them.
__device__ int row_of_tile(int n, int ratio) {
  int i = static_cast<int>((sqrtf(8.0f * (n / ratio) + 1.0f) - 1.0f) / 2.0f);
  while (ratio * i * (i + 1) / 2 > n) --i;
  while (ratio * (i + 1) * (i + 2) / 2 <= n) ++i;
  return i;
}

__global__ void __launch_bounds__(kThreads, kBlocks)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  extern __shared__ __align__(16) float shared[];
  float *q_tile = shared, *k_tile = shared + kDeep * kPitchM;
  constexpr int kRatio = kTileM / kTileN;
  const int tile = blockIdx.x, tile_row = row_of_tile(tile, kRatio);
  const int first_i = tile_row * kTileM;
  const int first_j = (tile - kRatio * tile_row * (tile_row + 1) / 2) * kTileN;
  if (first_j >= positions) return;  // of a last row of tiles that is not full
  const int batch = blockIdx.y / heads, head = blockIdx.y % heads;
  // In pieces: those of one head's row, and those from one position to the next.
  const int pieces = channels / 4;
  const size_t pitch = 3 * static_cast<size_t>(heads) * pieces;
  const float4* q =
      reinterpret_cast<const float4*>(qkv) + batch * positions * pitch + static_cast<size_t>(head) * pieces;
  const float4* k = q + static_cast<size_t>(heads) * pieces;
  float* scores = out + static_cast<size_t>(blockIdx.y) * positions * positions;
  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  const int across = 4 * (threadIdx.x % kAcross), down = 4 * (threadIdx.x / kAcross);
  float sum[kEach][kEach] = {};

  for (int first = 0; first < pieces; first += kPieces) {
    // FILL ME IN: load_tiles (roughly 4 lines)
    if (first > 0) __syncthreads();
    fill<kTileM>(q_tile, q + first_i * pitch + first, positions - first_i, pieces - first, pitch);
    fill<kTileN>(k_tile, k + first_j * pitch + first, positions - first_j, pieces - first, pitch);
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 11 lines)
    const int deep = min(kDeep, 4 * (pieces - first));
#pragma unroll kUnroll
    for (int c = 0; c < deep; ++c) {
      float of_q[kEach], of_k[kEach];
      eight_of(of_q, q_tile + c * kPitchM + down, kTileM / 2);
      eight_of(of_k, k_tile + c * kPitchN + across, kTileN / 2);
#pragma unroll
      for (int a = 0; a < kEach; ++a)
#pragma unroll
        for (int b = 0; b < kEach; ++b) sum[a][b] += of_q[a] * of_k[b];
    }
    // END: multiply
  }

  // FILL ME IN: store (roughly 28 lines)
  const size_t row_pitch = positions;  // in floats
  float* to = scores + (first_i + down) * row_pitch + first_j + across;
  const bool by_four = positions % 4 == 0;  // rows begin at multiples of 16 bytes
  if (by_four && first_j + kTileN <= first_i && first_i + kTileM <= positions) {  // somebody looks at all
#pragma unroll
    for (int a = 0; a < kEach; ++a)
#pragma unroll
      for (int b = 0; b < kEach; b += 4)
        store_four(to + offset_of(a, kTileM) * row_pitch + offset_of(b, kTileN), &sum[a][b], scale);
    return;
  }
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; b += 4) {
      const int i = first_i + down + offset_of(a, kTileM), j = first_j + across + offset_of(b, kTileN);
      float* four = to + offset_of(a, kTileM) * row_pitch + offset_of(b, kTileN);
      if (i >= positions || j > i) continue;
      if (by_four) {
        store_four(four, &sum[a][b], scale);
      } else {
#pragma unroll
        for (int n = 0; n < 4; ++n)
          if (j + n <= i) four[n] = sum[a][b + n] * scale;
      }
    }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tile_rows = (positions + kTileM - 1) / kTileM;
  const int tiles = kTileM / kTileN * tile_rows * (tile_rows + 1) / 2;
  cudaFuncSetAttribute(trimat_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  trimat_kernel<<<dim3(tiles, batch * heads), kThreads, kSharedBytes>>>(qkv, out, positions, heads, channels);
}
