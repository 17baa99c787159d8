// STYLE: cooperative groups reduce the tile; a block of 1024
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void sums(const float* __restrict__ x, float* __restrict__ out, int columns) {
  __shared__ float of_warp[32];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int c = block.thread_rank(); c < columns; c += block.size()) sum += x[size_t(blockIdx.x) * columns + c];
  // FILL ME IN: warp_sum (roughly 2 lines)
  sum = cg::reduce(tile, sum, cg::plus<float>());
  // END: warp_sum
  // FILL ME IN: block_sum (roughly 5 lines)
  if (tile.thread_rank() == 0) of_warp[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    sum = cg::reduce(tile, of_warp[tile.thread_rank()], cg::plus<float>());
    if (tile.thread_rank() == 0) out[blockIdx.x] = sum;
  }
  // END: block_sum
}

void row_sums(const float* x, float* out, int rows, int columns) { sums<<<rows, 1024>>>(x, out, columns); }
