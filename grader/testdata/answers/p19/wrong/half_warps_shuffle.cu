// ENTRY: fused
// CLASS: mask
// CAUSE: x is spread over the 32 lanes of a warp, but the shuffle is told that a group has 16 lanes, so that channel c comes from lane c modulo 16 of each half
// SAYS: __shfl_sync|32 lanes
// SAYS: line
// NEVER: barrier|race
// HELD: no
#include <cuda_runtime.h>

constexpr int kTile = 32;             // side of all tiles: a warp is as wide
constexpr int kStep = 8;              // warps of a block; thread (x, y) has rows y, y + kStep, ... of a tile
constexpr int kEach = kTile / kStep;  // rows of a tile that one thread has

// A tile of `matrix` [rows,columns], from (first_row, first_column) on, 0 where it hangs over an edge. All
// threads of the block must call it; it has no barrier.
__device__ void load_tile(float (*tile)[kTile], const float* __restrict__ matrix, int first_row,
                          int first_column, int rows, int columns) {
  const int column = first_column + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int row = first_row + y;
    tile[y][threadIdx.x] =
        row < rows && column < columns ? matrix[static_cast<size_t>(row) * columns + column] : 0.0f;
  }
}

// Unfused: out [M,D] = x [M,C] w [C,D], a tile of `out` for each block. A value of w that has been read from
// shared memory is used for the thread's kEach rows.
__global__ void product_kernel(const float* __restrict__ x, const float* __restrict__ w,
                               float* __restrict__ out, int rows, int channels, int width) {
  __shared__ float x_tile[kTile][kTile], w_tile[kTile][kTile];
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[kEach] = {};
  for (int first = 0; first < channels; first += kTile) {
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile, w, first, first_column, channels, width);
    __syncthreads();
    for (int c = 0; c < kTile; ++c)
      for (int i = 0; i < kEach; ++i) sum[i] += x_tile[threadIdx.y + i * kStep][c] * w_tile[c][threadIdx.x];
    __syncthreads();
  }
  const int column = first_column + threadIdx.x;
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row < rows && column < width) out[static_cast<size_t>(row) * width + column] = sum[i];
  }
}

// Fused: a warp has four rows. Its lanes hold 32 channels of each in registers and hand them round; only the
// weights are in shared memory.
__global__ void __launch_bounds__(kTile* kStep)
    qkv_kernel(const float* __restrict__ x, const float* __restrict__ wq, const float* __restrict__ wk,
               const float* __restrict__ wv, float* __restrict__ q, float* __restrict__ k,
               float* __restrict__ v, int rows, int channels, int width) {
  __shared__ float w_tile[3][kTile][kTile];
  const int lane = threadIdx.x, first_row = blockIdx.y * kTile + threadIdx.y * kEach;
  const int first_column = blockIdx.x * kTile;
  float of_q[kEach] = {}, of_k[kEach] = {}, of_v[kEach] = {};
  for (int first = 0; first < channels; first += kTile) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wk, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
    float mine[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const bool exists = first_row + i < rows && first + lane < channels;
      mine[i] = exists ? x[static_cast<size_t>(first_row + i) * channels + first + lane] : 0.0f;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; ++c) {
      const float a = w_tile[0][c][lane], b = w_tile[1][c][lane], d = w_tile[2][c][lane];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const float value = __shfl_sync(0xffffffffu, mine[i], c, 16);
        of_q[i] += value * a;
        of_k[i] += value * b;
        of_v[i] += value * d;
      }
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  const int column = first_column + lane;
  if (column < width)
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (first_row + i < rows) {
        const size_t at = static_cast<size_t>(first_row + i) * width + column;
        q[at] = of_q[i];
        k[at] = of_k[i];
        v[at] = of_v[i];
      }
  // END: store
}

// Blocks of neighbouring numbers have the same rows of x: that comes from DRAM for the first of them.
dim3 tiles_of(int rows, int width) { return dim3((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile); }

void qkv_unfused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
                 float* v, int rows, int channels, int width) {
  const dim3 tiles = tiles_of(rows, width), threads(kTile, kStep);
  // FILL ME IN: three_products (roughly 3 lines)
  product_kernel<<<tiles, threads>>>(x, wq, q, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wk, k, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wv, v, rows, channels, width);
  // END: three_products
}

void qkv_fused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
               float* v, int rows, int channels, int width) {
  qkv_kernel<<<tiles_of(rows, width), dim3(kTile, kStep)>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
