// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The tiles are not used: each thread reads its row of a and its column of b from global memory.
// SAYS: \bb\b|\ba\b
// SAYS: times over|sectors|requested|passes|more than
// NEVER: \brace\b|not coalesced|conflict
// HELD: no
#include <cuda_runtime.h>

__global__ void matmul_kernel(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  // FILL ME IN: load_tiles (roughly 6 lines)
  if (row >= rows || column >= columns) return;
  // END: load_tiles
  // FILL ME IN: multiply (roughly 2 lines)
  float sum = 0.0f;
  for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
  // END: multiply
  // FILL ME IN: store (roughly 1 line)
  c[row * columns + column] = sum;
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  dim3 block(32, 8);
  dim3 grid((columns + 31) / 32, (rows + 7) / 8);
  matmul_kernel<<<grid, block>>>(a, b, c, rows, inner, columns);
}
