// STYLE: two buffers, four results a thread, one barrier a step
// p14: multiply two matrices with tiles in shared memory.
//
//   c = a b      c[row][column] = sum over k of a[row][k] * b[k][column]      a [M,K]   b [K,N]   c [M,N]
//
// A block makes one tile of c, kTile x kTile values, a thread each. It walks along k one tile at a time: all
// of its threads together fetch a tile of `a` and a tile of `b` into shared memory, and from there each
// thread takes the kTile products of each that it needs. So one value that is fetched serves kTile threads.
//
//   load_tiles   fetch one value of each tile; 0 where the tile hangs over the edge of its matrix
//   multiply     add the products of this pair of tiles to `sum`
//   store        write the value of c, if there is one
//
//   grader p14     grader hint p14     grader lesson p14
//
// M, N and K are whatever the caller has: no multiples of anything. All of this file is yours to change, the
// launch too (a budget on bytes asks for tiles at least 16 wide); only the last function keeps its name and
// parameters.
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kWarps = 8;              // of a block
constexpr int kEach = kTile / kWarps;  // results of a thread, kWarps rows apart

// 0 outside of the matrix [height, width].
__device__ float at(const float* __restrict__ matrix, int y, int x, int height, int width) {
  return y < height && x < width ? matrix[static_cast<size_t>(y) * width + x] : 0.0f;
}

// Two buffers for each tile: while one pair is multiplied the next is on its way through registers, and one
// barrier for each step along k is enough.
__global__ void __launch_bounds__(kTile* kWarps)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                  int inner, int columns) {
  __shared__ float a_tile[2][kTile][kTile], b_tile[2][kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int first_row = blockIdx.y * kTile, column = blockIdx.x * kTile + tx;
  float sum[kEach] = {};
  float a_next[kEach], b_next[kEach];

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int y = ty + i * kWarps;
    a_tile[0][y][tx] = at(a, first_row + y, tx, rows, inner);
    b_tile[0][y][tx] = at(b, y, column, inner, columns);
  }
  __syncthreads();

  int now = 0;
  for (int first_k = 0; first_k < inner; first_k += kTile) {
    const int next_k = first_k + kTile;
    const bool more = next_k < inner;  // the same for the whole block
    if (more) {
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const int y = ty + i * kWarps;
        a_next[i] = at(a, first_row + y, next_k + tx, rows, inner);
        b_next[i] = at(b, next_k + y, column, inner, columns);
      }
    }
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) {
      const float b_value = b_tile[now][k][tx];
#pragma unroll
      for (int i = 0; i < kEach; ++i) sum[i] = fmaf(a_tile[now][ty + i * kWarps][k], b_value, sum[i]);
    }
    if (more) {
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        a_tile[now ^ 1][ty + i * kWarps][tx] = a_next[i];
        b_tile[now ^ 1][ty + i * kWarps][tx] = b_next[i];
      }
      __syncthreads();
      now ^= 1;
    }
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + ty + i * kWarps;
    if (row < rows && column < columns) c[static_cast<size_t>(row) * columns + column] = sum[i];
  }
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  matmul_kernel<<<tiles, dim3(kTile, kWarps)>>>(a, b, c, rows, inner, columns);
}
