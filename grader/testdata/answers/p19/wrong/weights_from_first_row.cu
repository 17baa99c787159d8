// ENTRY: fused
// CLASS: index
// CAUSE: The tile of the weights must begin at the channel where the loop stands, but it begins at the block's first row of x
// SAYS: first
// SAYS: first_row|line
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

// Fused as one product with three times the columns: blockIdx.x walks over the tiles of q, then of k, then of v.
__global__ void __launch_bounds__(kTile* kStep)
    qkv_kernel(const float* __restrict__ x, const float* __restrict__ wq, const float* __restrict__ wk,
               const float* __restrict__ wv, float* __restrict__ q, float* __restrict__ k,
               float* __restrict__ v, int rows, int channels, int width) {
  __shared__ float x_tile[kTile][kTile], w_tile[kTile][kTile];
  const int across = gridDim.x / 3, which = blockIdx.x / across;
  const float* w = which == 0 ? wq : which == 1 ? wk : wv;
  float* out = which == 0 ? q : which == 1 ? k : v;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x % across * kTile;
  float sum[kEach] = {};
  for (int first = 0; first < channels; first += kTile) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile, w, first_row, first_column, channels, width);
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; ++c)
      for (int i = 0; i < kEach; ++i) sum[i] += x_tile[threadIdx.y + i * kStep][c] * w_tile[c][threadIdx.x];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  const int column = first_column + threadIdx.x;
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row < rows && column < width) out[static_cast<size_t>(row) * width + column] = sum[i];
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
  dim3 tiles = tiles_of(rows, width);
  tiles.x *= 3;
  qkv_kernel<<<tiles, dim3(kTile, kStep)>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
