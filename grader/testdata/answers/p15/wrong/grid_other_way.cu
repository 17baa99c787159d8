// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has as many blocks along x as there are rows of tiles, and the kernel takes x for columns.
// SAYS: grid|tiles|blocks?|launch|rows|columns
// SAYS: exchang|swap|never written|nobody wrote|beyond|no block|(is|are) missing|cover|written|reach
// NEVER: barrier|\brace\b|bank
// HELD: no
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kStep = 8;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float tile[kTile][kTile + 1];
  // END: tile
  int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  // FILL ME IN: read_rows (roughly 7 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep)
    if (first_row + y < rows && first_column + threadIdx.x < columns)
      tile[y][threadIdx.x] = in[(first_row + y) * columns + first_column + threadIdx.x];
  __syncthreads();
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep)
    if (first_column + y < columns && first_row + threadIdx.x < rows)
      out[(first_column + y) * rows + first_row + threadIdx.x] = tile[threadIdx.x][y];
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  dim3 grid((rows + kTile - 1) / kTile, (columns + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kStep)>>>(in, out, rows, columns);
}
