// STYLE: tiles in a struct, two in turn, with one barrier each
// p14: multiply two matrices with tiles in shared memory.
//
//   c = a b      c[row][column] = sum over k of a[row][k] * b[k][column]      a [M,K]   b [K,N]   c [M,N]
//
// Two pairs of tiles that take turns: while one is multiplied the next one is fetched, and one barrier for each
// pair is enough. A thread has four results, kWarps rows apart.
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kWarps = 8;
constexpr int kMine = kTile / kWarps;

struct Matrix {
  const float* __restrict__ data;
  int rows, columns;
  // 0 outside.
  __device__ float at(int r, int c) const {
    return r < rows && c < columns ? data[static_cast<size_t>(r) * columns + c] : 0.0f;
  }
};

struct Tiles {
  float a[kTile][kTile], b[kTile][kTile];
};

__device__ __forceinline__ void fetch(Tiles& into, const Matrix& a, const Matrix& b, int row0, int column0,
                                      int k0) {
  const int x = threadIdx.x;
#pragma unroll
  for (int y = threadIdx.y; y < kTile; y += kWarps) {
    into.a[y][x] = a.at(row0 + y, k0 + x);
    into.b[y][x] = b.at(k0 + y, column0 + x);
  }
}

__global__ void __launch_bounds__(kTile* kWarps)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                  int inner, int columns) {
  __shared__ Tiles tiles[2];
  const Matrix left{a, rows, inner}, right{b, inner, columns};
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  const int steps = (inner + kTile - 1) / kTile;
  float sum[kMine] = {};

  fetch(tiles[0], left, right, row0, column0, 0);
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    // The other pair was read in the step before, and a barrier has passed since then.
    if (step + 1 < steps) fetch(tiles[(step + 1) % 2], left, right, row0, column0, (step + 1) * kTile);
    const Tiles& now = tiles[step % 2];
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) {
      const float factor = now.b[k][threadIdx.x];
#pragma unroll
      for (int m = 0; m < kMine; ++m) sum[m] += now.a[threadIdx.y + m * kWarps][k] * factor;
    }
    __syncthreads();
  }

  const int column = column0 + threadIdx.x;
  if (column >= columns) return;
#pragma unroll
  for (int m = 0; m < kMine; ++m) {
    const int row = row0 + threadIdx.y + m * kWarps;
    if (row < rows) c[static_cast<size_t>(row) * columns + column] = sum[m];
  }
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  matmul_kernel<<<grid, dim3(kTile, kWarps)>>>(a, b, c, rows, inner, columns);
}
