// p14 matmul_tiled, optimized: the same tiles, and the same idea once more, from shared memory to registers.
//
// The reference reads two values from shared memory for every product, and waits for those. Here a thread
// makes 4 x 4 values of c: it reads 4 values of `a` and 4 of `b` and has 16 products of them, half a read for
// each. Its block makes 64 x 64 values, so global memory is asked for half as much, too. What it costs: small
// matrices fill few blocks, and there is one index more for everything.
#include <cuda_runtime.h>

constexpr int kTile = 64;               // rows and columns of c that a block makes
constexpr int kDeep = 16;               // k of a pair of tiles
constexpr int kEach = 4;                // rows and columns of c that a thread makes
constexpr int kAcross = kTile / kEach;  // threads along a row of c, and along a column
constexpr int kThreads = kAcross * kAcross;

// Block (x, y) makes one tile of c, the x-th from the left and the y-th from above. Of it thread (x, y) has
// the columns x, x + kAcross, ... so that neighbouring lanes have neighbouring columns, and the rows from
// kEach y on.
__global__ void __launch_bounds__(kThreads)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                  int inner, int columns) {
  // The tile of `a` is turned: its lanes come along k and leave along rows. Padding keeps them apart.
  __shared__ float a_tile[kDeep][kTile + 1], b_tile[kDeep][kTile];
  const int x = threadIdx.x % kAcross, y = threadIdx.x / kAcross;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[kEach][kEach] = {};
  for (int first_k = 0; first_k < inner; first_k += kDeep) {
    // FILL ME IN: load_tiles (roughly 12 lines)
#pragma unroll
    for (int i = threadIdx.x; i < kTile * kDeep; i += kThreads) {
      const int row = first_row + i / kDeep, a_k = first_k + i % kDeep;
      a_tile[i % kDeep][i / kDeep] =
          row < rows && a_k < inner ? a[static_cast<size_t>(row) * inner + a_k] : 0.0f;
      const int b_k = first_k + i / kTile, column = first_column + i % kTile;
      b_tile[i / kTile][i % kTile] =
          b_k < inner && column < columns ? b[static_cast<size_t>(b_k) * columns + column] : 0.0f;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 10 lines)
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      float of_a[kEach], of_b[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        of_a[i] = a_tile[k][y * kEach + i];
        of_b[i] = b_tile[k][x + i * kAcross];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 6 lines)
#pragma unroll
  for (int i = 0; i < kEach; ++i)
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int row = first_row + y * kEach + i, column = first_column + x + j * kAcross;
      if (row < rows && column < columns) c[static_cast<size_t>(row) * columns + column] = sum[i][j];
    }
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  matmul_kernel<<<tiles, kThreads>>>(a, b, c, rows, inner, columns);
}
