// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A thread adds up a whole row: the lanes of a warp stand a row apart, and each request touches 32 sectors.
// SAYS: sector|coalesc|apart|lanes|request
// SAYS: x\b|row
// NEVER: wrong (answer|result|value)
// HELD: no
#include <cuda_runtime.h>

__global__ void sums(const float* x, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  // FILL ME IN: coarsen (roughly 2 lines)
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += x[(size_t)row * columns + c];
  // END: coarsen
  // FILL ME IN: tree (roughly 4 lines)
  out[row] = sum;
  // END: tree
}

void row_sums(const float* x, float* out, int rows, int columns) {
  // FILL ME IN: launch (roughly 1 line)
  sums<<<(rows + 63) / 64, 64>>>(x, out, rows, columns);
  // END: launch
}
