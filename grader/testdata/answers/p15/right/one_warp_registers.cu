// STYLE: a warp for each tile, all of its rows in registers first, a barrier of the warp alone
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void turn(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float tiles[2][32][33];
  float(*tile)[33] = tiles[threadIdx.y];
  // END: tile
  const long first_row = (long(blockIdx.y) * 2 + threadIdx.y) * 32, first_column = long(blockIdx.x) * 32;
  const int lane = warp.thread_rank();
  // FILL ME IN: read_rows (roughly 7 lines)
  float value[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    value[i] = first_row + i < rows && first_column + lane < columns
                   ? in[(first_row + i) * columns + first_column + lane]
                   : 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) tile[lane][i] = value[i];
  warp.sync();
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  for (int i = 0; i < 32; ++i)
    if (first_column + i < columns && first_row + lane < rows)
      out[(first_column + i) * rows + first_row + lane] = tile[i][lane];
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  turn<<<dim3((columns + 31) / 32, (rows + 63) / 64), dim3(32, 2)>>>(in, out, rows, columns);
}
