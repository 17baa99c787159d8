// ENTRY: kernel
// CLASS: tail
// CAUSE: The grid's size is rounded down, so the last, partial tiles of c are made by no block.
// SAYS: rows?|columns?|tiles?|blocks?|grid|elements
// SAYS: grid of \(2, 2\) in place of|never written|nobody wrote|not written|rounded|multiple|whole tiles|(last|first|behind|from|beyond)|left out|unwritten
// NEVER: barrier|\brace\b|transpos
// HELD: no
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile * kTile)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                  int inner, int columns) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int first_k = 0; first_k < inner; first_k += kTile) {
    // FILL ME IN: load_tiles (roughly 6 lines)
    int ak = first_k + threadIdx.x;
    int bk = first_k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = (row < rows && ak < inner) ? a[row * inner + ak] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = (bk < inner && column < columns) ? b[bk * columns + column] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; k++) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 1 line)
  if (row < rows && column < columns) c[row * columns + column] = sum;
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  dim3 grid(max(columns / kTile, 1), max(rows / kTile, 1));
  matmul_kernel<<<grid, dim3(kTile, kTile)>>>(a, b, c, rows, inner, columns);
}
