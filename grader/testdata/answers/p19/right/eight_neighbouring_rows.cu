// STYLE: tiles of x of 64 rows, eight neighbouring rows a thread; unfused as a loop over arrays of pointers
// p19: the three projections of attention, from three passes over x to one.
//
//   q = x wq    k = x wk    v = x wv      x [M,C]   wq, wk, wv [C,D]   q, k, v [M,D]
//
// Unfused: fill in `three_products`. The tiled product is given (p14's, with four results a thread): one
// launch for each projection, and x is fetched for each of them. Fused: fill in `load_tiles`, `multiply` and
// `store`: one launch, in which a tile of x that is in shared memory serves all three.
//
//   grader p19 --unfused     grader p19 --fused     grader p19     grader hint p19     grader lesson p19
//
// All of this file is yours to change, launches too; only the last two functions keep names and parameters.
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

// Fused: a block makes the same tile of q, of k and of v, and its tiles are twice as tall as the others: 64 rows,
// eight side by side for each thread.
constexpr int kHigh = 2 * kTile, kTall = kHigh / kStep;

__global__ void __launch_bounds__(kTile* kStep)
    qkv_kernel(const float* __restrict__ x, const float* __restrict__ wq, const float* __restrict__ wk,
               const float* __restrict__ wv, float* __restrict__ q, float* __restrict__ k,
               float* __restrict__ v, int rows, int channels, int width) {
  __shared__ float x_tile[kHigh][kTile], w_tile[3][kTile][kTile];  // w_tile: of wq, of wk, of wv
  const int first_row = blockIdx.y * kHigh, first_column = blockIdx.x * kTile;
  float sum[3][kTall] = {};  // of q, of k, of v: the thread's rows
  for (int first = 0; first < channels; first += kTile) {
    // Must leave the tiles complete, before anyone reads them.
    // FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(x_tile + kTile, x, first_row + kTile, first, rows, channels);
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wk, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
    __syncthreads();
    // END: load_tiles
    // Must add this tile's products to all 3 * kTall sums, and let nobody overwrite what others still read.
    // FILL ME IN: multiply (roughly 7 lines)
#pragma unroll 4
    for (int c = 0; c < kTile; ++c) {
      const float to_q = w_tile[0][c][threadIdx.x];
      const float to_k = w_tile[1][c][threadIdx.x];
      const float to_v = w_tile[2][c][threadIdx.x];
#pragma unroll
      for (int i = 0; i < kTall; ++i) {
        const float value = x_tile[threadIdx.y * kTall + i][c];
        sum[0][i] += value * to_q;
        sum[1][i] += value * to_k;
        sum[2][i] += value * to_v;
      }
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  const int column = first_column + static_cast<int>(threadIdx.x);
  float* const outs[3] = {q, k, v};
  if (column < width) {
#pragma unroll
    for (int n = 0; n < 3; ++n)
#pragma unroll
      for (int i = 0; i < kTall; ++i) {
        const int row = first_row + static_cast<int>(threadIdx.y) * kTall + i;
        if (row < rows) outs[n][static_cast<size_t>(row) * width + column] = sum[n][i];
      }
  }
  // END: store
}

// Blocks of neighbouring numbers have the same rows of x: that comes from DRAM for the first of them.
dim3 tiles_of(int rows, int width) { return dim3((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile); }

void qkv_unfused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
                 float* v, int rows, int channels, int width) {
  const dim3 tiles = tiles_of(rows, width), threads(kTile, kStep);
  // FILL ME IN: three_products (roughly 3 lines)
  const float* const weights[] = {wq, wk, wv};
  float* const outs[] = {q, k, v};
  for (int n = 0; n < 3; ++n) product_kernel<<<tiles, threads>>>(x, weights[n], outs[n], rows, channels, width);
  // END: three_products
}

void qkv_fused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
               float* v, int rows, int channels, int width) {
  const dim3 grid((width + kTile - 1) / kTile, (rows + kHigh - 1) / kHigh);
  qkv_kernel<<<grid, dim3(kTile, kStep)>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
