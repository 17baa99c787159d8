// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The place in out is compared with rows and columns the wrong way round.
// SAYS: exchanged
// NEVER: race|barrier
// HELD: no
// p15: transpose a matrix through a tile in shared memory.
//
//   out[c][r] = in[r][c]      in [M,N]   out [N,M]
//
// A block takes one tile of `in`, kTile x kTile values, and puts it where it belongs in `out`. Reading rows
// of `in` side by side is easy, and so is writing rows of `out`; both at once needs a place in between, where
// a value may come in by one order and leave by the other. That place has 32 banks: mind who meets in which.
//
//   tile         declare the tile in shared memory
//   read_rows    fill it: every request reads neighbouring values of a row of `in`
//   write_rows   empty it: every request writes neighbouring values of a row of `out`
//
//   grader p15     grader hint p15     grader lesson p15
//
// M and N are whatever the caller has. All of this file is yours to change, the launch too; only the last
// function keeps its name and parameters. The budget on bank conflicts is 0.
#include <cuda_runtime.h>

constexpr int kTile = 32;             // side of a tile: a warp is as wide
constexpr int kStep = 8;              // warps of a block
constexpr int kEach = kTile / kStep;  // rows of the tile that each warp reads, and that it writes

// Block (x, y) moves the x-th tile from the left, y-th from above. Thread (x, y) has column x and the rows
// y, y + kStep, y + 2 kStep, ... of it.
__global__ void transpose_kernel(const float* __restrict__ in, float* __restrict__ out, int rows,
                                 int columns) {
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float tile[kTile][kTile + 1];
  // END: tile
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;  // of the tile of `in`
  // Must have the tile complete before anyone takes from it. Not all of it needs to lie within `in`.
  // FILL ME IN: read_rows (roughly 7 lines)
  const int x = first_column + threadIdx.x;
  for (int i = 0; i < kEach; ++i) {
    const int y = threadIdx.y + i * kStep;
    if (first_row + y < rows && x < columns)
      tile[y][threadIdx.x] = in[static_cast<size_t>(first_row + y) * columns + x];
  }
  __syncthreads();
  // END: read_rows
  // Row `first_column + y` of `out` is a column of `in`; threadIdx.x now runs along the rows of `in`.
  // FILL ME IN: write_rows (roughly 6 lines)
  const int to_x = first_row + threadIdx.x;
  for (int i = 0; i < kEach; ++i) {
    const int y = threadIdx.y + i * kStep, to_y = first_column + y;
    if (to_y < rows && to_x < columns) out[static_cast<size_t>(to_y) * rows + to_x] = tile[threadIdx.x][y];
  }
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<tiles, dim3(kTile, kStep)>>>(in, out, rows, columns);
}
