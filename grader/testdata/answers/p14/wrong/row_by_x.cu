// ENTRY: kernel
// CLASS: over-budget
// CAUSE: threadIdx.x is the row: neighbouring lanes stand in different rows of a, b's tile and c.
// SAYS: coalesced|lanes|sectors
// SAYS: apart|sectors|times
// NEVER: \brace\b|uninitiali
// HELD: yes
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile * kTile)
    matmul_kernel(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  int i = threadIdx.x, j = threadIdx.y;
  int row = blockIdx.y * kTile + i, column = blockIdx.x * kTile + j;
  float sum = 0.0f;
  for (int first_k = 0; first_k < inner; first_k += kTile) {
    // FILL ME IN: load_tiles (roughly 6 lines)
    a_tile[i][j] = (row < rows && first_k + j < inner) ? a[row * inner + first_k + j] : 0.0f;
    b_tile[i][j] = (first_k + i < inner && column < columns) ? b[(first_k + i) * columns + column] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; k++) sum += a_tile[i][k] * b_tile[k][j];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 1 line)
  if (row < rows && column < columns) c[row * columns + column] = sum;
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  matmul_kernel<<<grid, dim3(kTile, kTile)>>>(a, b, c, rows, inner, columns);
}
