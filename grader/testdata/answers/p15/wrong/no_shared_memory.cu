// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each value goes straight from in to out: neighbouring lanes write values that are a row of out apart.
// SAYS: coalesced|lanes|sectors
// SAYS: \bout\b
// NEVER: \brace\b|has bank conflicts|coalesced on in\b
// HELD: no
#include <cuda_runtime.h>

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // FILL ME IN: tile (roughly 1 line)
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  // END: tile
  // FILL ME IN: read_rows (roughly 7 lines)
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, columns);
}
