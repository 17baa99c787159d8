// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The blocks have 32 x 32 threads where each thread does four rows: everything is read and written up to four times, rows past the tile among it.
// SAYS: threads|block|shared|tile|times|read|written|in\b
// SAYS: 1024|outside|past|beyond|times|out of bounds|end
// NEVER: transpos|bank conflict
// HELD: yes
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kEach = 4;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float tile[kTile][kTile + 1];
  // END: tile
  int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  // FILL ME IN: read_rows (roughly 7 lines)
  for (int i = 0; i < kEach; i++) {
    int y = (threadIdx.y + i * 8) % kTile;
    if (first_row + y < rows && first_column + threadIdx.x < columns)
      tile[y][threadIdx.x] = in[(first_row + y) * columns + first_column + threadIdx.x];
    __syncthreads();
  }
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  for (int i = 0; i < kEach; i++) {
    int y = (threadIdx.y + i * 8) % kTile;
    if (first_column + y < columns && first_row + threadIdx.x < rows)
      out[(first_column + y) * rows + first_row + threadIdx.x] = tile[threadIdx.x][y];
    __syncthreads();
  }
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, columns);
}
