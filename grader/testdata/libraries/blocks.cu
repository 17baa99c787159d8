// CUB's warp and block primitives, cooperative groups and warp intrinsics, each against a sum that can be worked out on
// the host. Run by libraries_test.cc: kernels take (const int* x, int* out) with 256 elements of x = i * 7 % 31, one block
// of 256 threads.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

namespace cg = cooperative_groups;

extern "C" __global__ void block_reduce(const int* x, int* out) {
  using Reduce = cub::BlockReduce<int, 256>;
  __shared__ typename Reduce::TempStorage storage;
  int sum = Reduce(storage).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = sum;
}

extern "C" __global__ void block_scan(const int* x, int* out) {
  using Scan = cub::BlockScan<int, 256>;
  __shared__ typename Scan::TempStorage storage;
  int value = x[threadIdx.x], prefix;
  Scan(storage).InclusiveSum(value, prefix);
  out[threadIdx.x] = prefix;
}

extern "C" __global__ void block_sort(const int* x, int* out) {
  using Sort = cub::BlockRadixSort<int, 256, 1>;
  __shared__ typename Sort::TempStorage storage;
  int key[1] = {x[threadIdx.x]};
  Sort(storage).Sort(key);
  out[threadIdx.x] = key[0];
}

extern "C" __global__ void warp_scan(const int* x, int* out) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage[8];
  int prefix;
  Scan(storage[threadIdx.x / 32]).InclusiveSum(x[threadIdx.x], prefix);
  out[threadIdx.x] = prefix;
}

extern "C" __global__ void warp_reduce(const int* x, int* out) {
  using Reduce = cub::WarpReduce<int, 16>;
  __shared__ typename Reduce::TempStorage storage[16];
  int most = Reduce(storage[threadIdx.x / 16]).Reduce(x[threadIdx.x], ::cuda::maximum<>{});
  if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = most;
}

extern "C" __global__ void tile_reduce(const int* x, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int sum = cg::reduce(tile, x[threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

extern "C" __global__ void tile_scan(const int* x, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, x[threadIdx.x], cg::plus<int>());
}

extern "C" __global__ void coalesced(const int* x, int* out) {
  if (x[threadIdx.x] % 3 == 0) {
    auto group = cg::coalesced_threads();
    int sum = cg::reduce(group, x[threadIdx.x], cg::plus<int>());
    if (group.thread_rank() == 0) atomicAdd(out, sum);
  }
}

extern "C" __global__ void labeled(const int* x, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(warp, x[threadIdx.x] % 4);
  if (same.thread_rank() == 0) atomicAdd(out + x[threadIdx.x] % 4, static_cast<int>(same.size()));
}

extern "C" __global__ void intrinsics(const int* x, int* out) {
  int value = x[threadIdx.x];
  unsigned same = __match_any_sync(0xffffffffu, value & 3);
  int sum = __reduce_add_sync(0xffffffffu, value);
  unsigned odd = __ballot_sync(0xffffffffu, value & 1);
  int neighbour = __shfl_xor_sync(0xffffffffu, value, 1);
  out[threadIdx.x] = __popc(same) + 100 * sum + 1000000 * __popc(odd) + neighbour;
}

extern "C" __global__ void block_barriers(const int* x, int* out) {
  int odd = __syncthreads_count(x[threadIdx.x] & 1), any = __syncthreads_or(x[threadIdx.x] == 30),
      all = __syncthreads_and(x[threadIdx.x] < 30);
  out[threadIdx.x] = odd + 1000 * (any != 0) + 10000 * (all != 0);
}
