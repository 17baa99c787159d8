// ENTRY: fused
// CLASS: race
// CAUSE: The barrier behind the products of a step is missing.
// SAYS: __syncthreads
// NEVER: __syncwarp
// HELD: no
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

constexpr int kFusedThreads = 128;                 // of the fused kernel's blocks: four warps
constexpr int kFusedStep = kFusedThreads / kTile;  // warp w has rows w, w + kFusedStep, ... of a tile
constexpr int kFusedEach = kTile / kFusedStep;

struct Projection {
  const float* weight;
  float* out;
};
struct Projections {
  Projection of[3];  // q, k, v
};

// As load_tile, for the warps of the fused kernel.
__device__ void fill(float (&tile)[kTile][kTile], const float* __restrict__ matrix, int first_row,
                     int first_column, int rows, int columns) {
  const int lane = threadIdx.x % kTile, column = first_column + lane;
#pragma unroll
  for (int y = threadIdx.x / kTile; y < kTile; y += kFusedStep) {
    const int row = first_row + y;
    const bool there = row < rows && column < columns;
    tile[y][lane] = there ? matrix[static_cast<size_t>(row) * columns + column] : 0.0f;
  }
}

// Fused: a block makes the same tile of q, of k and of v.
__global__ void __launch_bounds__(kFusedThreads)
    qkv_kernel(const float* __restrict__ x, Projections projections, int rows, int channels, int width) {
  __shared__ float x_tile[kTile][kTile], w_tile[3][kTile][kTile];
  const int lane = threadIdx.x % kTile, warp = threadIdx.x / kTile;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[3][kFusedEach] = {};
  for (int first = 0; first < channels; first += kTile) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    fill(x_tile, x, first_row, first, rows, channels);
#pragma unroll
    for (int p = 0; p < 3; ++p)
      fill(w_tile[p], projections.of[p].weight, first, first_column, channels, width);
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; ++c) {
      float of_x[kFusedEach];
#pragma unroll
      for (int i = 0; i < kFusedEach; ++i) of_x[i] = x_tile[warp + i * kFusedStep][c];
#pragma unroll
      for (int p = 0; p < 3; ++p) {
        const float of_w = w_tile[p][c][lane];
#pragma unroll
        for (int i = 0; i < kFusedEach; ++i) sum[p][i] += of_x[i] * of_w;
      }
    }
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  const int column = first_column + lane;
  if (column >= width) return;
#pragma unroll
  for (int i = 0; i < kFusedEach; ++i) {
    const int row = first_row + warp + i * kFusedStep;
    if (row >= rows) continue;
#pragma unroll
    for (int p = 0; p < 3; ++p) projections.of[p].out[static_cast<size_t>(row) * width + column] = sum[p][i];
  }
  // END: store
}

// Blocks of neighbouring numbers have the same rows of x: that comes from DRAM for the first of them.
dim3 tiles_of(int rows, int width) { return dim3((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile); }

void qkv_unfused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
                 float* v, int rows, int channels, int width) {
  const dim3 tiles = tiles_of(rows, width), threads(kTile, kStep);
  // FILL ME IN: three_products (roughly 3 lines)
  const Projection all[] = {{wq, q}, {wk, k}, {wv, v}};
  for (const Projection& one : all)
    product_kernel<<<tiles, threads>>>(x, one.weight, one.out, rows, channels, width);
  // END: three_products
}

void qkv_fused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
               float* v, int rows, int channels, int width) {
  const Projections projections{{{wq, q}, {wk, k}, {wv, v}}};
  qkv_kernel<<<tiles_of(rows, width), kFusedThreads>>>(x, projections, rows, channels, width);
}
