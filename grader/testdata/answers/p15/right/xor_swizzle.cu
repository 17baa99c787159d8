// STYLE: a tile without padding whose columns are exclusive-ored with their row, values in registers first, clamped edges
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
  // No padding: value (y, x) of the tile lies at [y][x ^ y]. A row and a column each meet all 32 banks.
  __shared__ float tile[kTile][kTile];
  // END: tile
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;  // of the tile of `in`
  // Must have the tile complete before anyone takes from it. Not all of it needs to lie within `in`.
  // FILL ME IN: read_rows (roughly 7 lines)
  {
    const int column = first_column + static_cast<int>(threadIdx.x);
    float carried[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const int row = first_row + static_cast<int>(threadIdx.y) + k * kStep;
      carried[k] = row < rows && column < columns ? in[static_cast<size_t>(row) * columns + column] : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const unsigned y = threadIdx.y + k * kStep;
      tile[y][threadIdx.x ^ y] = carried[k];
    }
  }
  __syncthreads();
  // END: read_rows
  // Row `first_column + y` of `out` is a column of `in`; threadIdx.x now runs along the rows of `in`.
  // FILL ME IN: write_rows (roughly 6 lines)
  {
    const int to = first_row + static_cast<int>(threadIdx.x);  // column of `out`
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const unsigned x = threadIdx.y + k * kStep;  // column of the tile
      const int line = first_column + static_cast<int>(x);
      if (to < rows && line < columns)
        out[static_cast<size_t>(line) * rows + to] = tile[threadIdx.x][x ^ threadIdx.x];
    }
  }
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<tiles, dim3(kTile, kStep)>>>(in, out, rows, columns);
}
