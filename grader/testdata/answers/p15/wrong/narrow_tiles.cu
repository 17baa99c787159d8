// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The tile is 16 x 16 with rows of 17: a warp has two rows of it, and the two meet in a bank.
// SAYS: bank
// SAYS: conflict|turns|same bank
// NEVER: \brace\b|not coalesced
// HELD: yes
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float tile[kTile][kTile + 1];
  // END: tile
  int x = threadIdx.x, y = threadIdx.y;
  // FILL ME IN: read_rows (roughly 7 lines)
  int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  if (row < rows && column < columns) tile[y][x] = in[row * columns + column];
  __syncthreads();
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  int out_row = blockIdx.x * kTile + y, out_column = blockIdx.y * kTile + x;
  if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[x][y];
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kTile)>>>(in, out, rows, columns);
}
