// STYLE: a reduction by cooperative groups; rows of more than 16384 columns are spread over blocks that add atomically
// Row sums. A long row is given to several blocks, which add what they have to the row's place; rows of up to
// kPart columns have a block each, and that one just stores.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

constexpr int kBlock = 256;
constexpr int kPart = 16384;  // columns of a block, at most

__device__ float sum_of_block(float v) {
  __shared__ float of_warp[kBlock / 32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  v = cg::reduce(warp, v, cg::plus<float>());
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = v;
  block.sync();
  v = warp.thread_rank() < kBlock / 32 ? of_warp[warp.thread_rank()] : 0.0f;
  return cg::reduce(warp, v, cg::plus<float>());
}

template <bool kShared>
__global__ void __launch_bounds__(kBlock)
    sums(const float* __restrict__ x, float* __restrict__ out, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  const int begin = blockIdx.y * kPart;
  const int end = columns - begin > kPart ? begin + kPart : columns;
  float mine = 0.0f;
#pragma unroll 4
  for (int c = begin + threadIdx.x; c < end; c += kBlock) mine += row[c];
  const float all = sum_of_block(mine);
  if (threadIdx.x == 0) {
    if (kShared)
      atomicAdd(out + blockIdx.x, all);
    else
      out[blockIdx.x] = all;
  }
}

}  // namespace

void row_sums(const float* x, float* out, int rows, int columns) {
  const int parts = (columns + kPart - 1) / kPart;
  if (parts == 1) {
    sums<false><<<rows, kBlock>>>(x, out, columns);
    return;
  }
  cudaMemsetAsync(out, 0, sizeof(float) * rows);
  sums<true><<<dim3(rows, parts), kBlock>>>(x, out, columns);
}
