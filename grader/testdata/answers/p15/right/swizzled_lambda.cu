// STYLE: a tile without padding, swizzled by exclusive or
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
  // No padding: row r keeps its column c at place c ^ r. Both along a row (r fixed) and down a column (c
  // fixed) that is 32 different places, so 32 banks.
  __shared__ float tile[kTile * kTile];
  const auto place = [](int r, int c) { return r * kTile + (c ^ r); };
  // END: tile
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;  // of the tile of `in`
  // Must have the tile complete before anyone takes from it. Not all of it needs to lie within `in`.
  // FILL ME IN: read_rows (roughly 7 lines)
  float held[kEach];
  const bool inside = first_column + threadIdx.x < columns;
  const float* from = in + static_cast<size_t>(first_row) * columns + first_column + threadIdx.x;
#pragma unroll
  for (int n = 0; n < kEach; ++n) {
    const int r = threadIdx.y + n * kStep;
    held[n] = inside && first_row + r < rows ? from[static_cast<size_t>(r) * columns] : 0.0f;
  }
#pragma unroll
  for (int n = 0; n < kEach; ++n) tile[place(threadIdx.y + n * kStep, threadIdx.x)] = held[n];
  __syncthreads();
  // END: read_rows
  // Row `first_column + y` of `out` is a column of `in`; threadIdx.x now runs along the rows of `in`.
  // FILL ME IN: write_rows (roughly 6 lines)
  const int to_column = first_row + threadIdx.x;
  if (to_column >= rows) return;
  for (int c = threadIdx.y; c < min(kTile, columns - first_column); c += kStep)
    out[static_cast<size_t>(first_column + c) * rows + to_column] = tile[place(threadIdx.x, c)];
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<tiles, dim3(kTile, kStep)>>>(in, out, rows, columns);
}
