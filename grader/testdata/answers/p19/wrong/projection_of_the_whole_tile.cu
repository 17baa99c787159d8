// ENTRY: fused
// CLASS: control-flow
// CAUSE: A tile that hangs over into the next projection has columns of the first one made alone.
// SAYS: each column|first / 
// NEVER: race|barrier
// HELD: no
// p19: the three projections of attention, from three passes over x to one.
//
//   q = x wq    k = x wk    v = x wv      x [M,C]   wq, wk, wv [C,D]   q, k, v [M,D]
//
// Unfused: a launch for each projection. Fused: one product with 3 D columns, as if wq, wk and wv lay side by
// side; where they really lie is looked up when a block begins. Both use the same tile of work.
#include <cuda_runtime.h>

constexpr int kTile = 32;             // side of all tiles: a warp is as wide
constexpr int kStep = 8;              // warps of a block; thread (x, y) has rows y, y + kStep, ... of a tile
constexpr int kEach = kTile / kStep;  // rows of a tile that one thread has

// A tile of `matrix` [rows,columns], from (first_row, first_column) on, 0 where it hangs over an edge. All
// threads of the block must call it; it has no barrier.
__device__ void load_tile(float (*tile)[kTile], const float* __restrict__ matrix, int first_row,
                          int first_column, int rows, int columns) {
  const int column = first_column + threadIdx.x;
#pragma unroll
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int row = first_row + y;
    tile[y][threadIdx.x] =
        row < rows && column < columns ? matrix[static_cast<size_t>(row) * columns + column] : 0.0f;
  }
}

// The tile of out [M,D] = x [M,C] w [C,D] that begins at (first_row, first_column). A value of w that has been
// read from shared memory is used for the thread's kEach rows.
__device__ void make_tile(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ out,
                          int first_row, int first_column, int rows, int channels, int width) {
  __shared__ float x_tile[kTile][kTile], w_tile[kTile][kTile];
  float sum[kEach] = {};
  for (int first = 0; first < channels; first += kTile) {
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile, w, first, first_column, channels, width);
    __syncthreads();
#pragma unroll 8
    for (int c = 0; c < kTile; ++c) {
      const float weight = w_tile[c][threadIdx.x];
#pragma unroll
      for (int i = 0; i < kEach; ++i) sum[i] += x_tile[threadIdx.y + i * kStep][c] * weight;
    }
    __syncthreads();
  }
  const int column = first_column + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row < rows && column < width) out[static_cast<size_t>(row) * width + column] = sum[i];
  }
}

// Unfused: one projection.
__global__ void __launch_bounds__(kTile* kStep)
    product_kernel(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ out, int rows,
                   int channels, int width) {
  make_tile(x, w, out, blockIdx.y * kTile, blockIdx.x * kTile, rows, channels, width);
}

// Fused: the columns 0 .. 3D - 1 are those of q, then those of k, then those of v. Neighbouring blocks have the
// same rows of x, which come from DRAM for the first of them.
__global__ void __launch_bounds__(kTile* kStep)
    qkv_kernel(const float* __restrict__ x, const float* __restrict__ wq, const float* __restrict__ wk,
               const float* __restrict__ wv, float* __restrict__ q, float* __restrict__ k,
               float* __restrict__ v, int rows, int channels, int width) {
  const int first = blockIdx.x * kTile;  // of 3 D columns
  const int which = first / width, first_column = first % width;
  const float* w = which == 0 ? wq : which == 1 ? wk : wv;
  float* out = which == 0 ? q : which == 1 ? k : v;
  make_tile(x, w, out, blockIdx.y * kTile, first_column, rows, channels, width);
}

dim3 tiles_of(int rows, int width) { return dim3((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile); }

void qkv_unfused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
                 float* v, int rows, int channels, int width) {
  const dim3 tiles = tiles_of(rows, width), threads(kTile, kStep);
  product_kernel<<<tiles, threads>>>(x, wq, q, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wk, k, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wv, v, rows, channels, width);
}

void qkv_fused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
               float* v, int rows, int channels, int width) {
  qkv_kernel<<<tiles_of(rows, 3 * width), dim3(kTile, kStep)>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
