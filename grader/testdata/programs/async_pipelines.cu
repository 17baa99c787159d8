// Copies in stages, as programs write them: none is touched before it has been waited for.
//# flags -std=c++17 -lineinfo -gencode arch=compute_90,code=compute_90
//# stdout 1 1 1 1
//# launch shared_by_all grid=1 block=64
//# launch by_roles grid=1 block=96
//# launch of_each_thread grid=1 block=64
//# launch by_barrier grid=1 block=64
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int kTile = 64, kTiles = 8;

__global__ void shared_by_all(const int* in, int* out) {
  constexpr int kStages = 3;
  __shared__ int stage[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int fetch = 0, tile = 0; tile < kTiles; ++tile) {
    for (; fetch < kTiles && fetch < tile + kStages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[fetch % kStages], in + fetch * kTile, sizeof stage[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[tile * kTile + threadIdx.x] = stage[tile % kStages][kTile - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

__global__ void by_roles(const int* in, int* out) {
  __shared__ int stage[2][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const bool fetches = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int tile = 0; tile < kTiles; ++tile) {
    if (fetches) {
      pipe.producer_acquire();
      cuda::memcpy_async(cg::tiled_partition<32>(block), stage[tile % 2], in + tile * kTile, sizeof stage[0], pipe);
      pipe.producer_commit();
    } else {
      const int i = threadIdx.x - 32;
      pipe.consumer_wait();
      out[tile * kTile + i] = stage[tile % 2][kTile - 1 - i];
      pipe.consumer_release();
    }
  }
}

__global__ void of_each_thread(const int* in, int* out) {
  __shared__ int stage[2][kTile];
  const auto fetch = [&](int tile) {
    if (tile < kTiles) __pipeline_memcpy_async(&stage[tile % 2][threadIdx.x], in + tile * kTile + threadIdx.x, sizeof(int));
    __pipeline_commit();
  };
  fetch(0);
  for (int tile = 0; tile < kTiles; ++tile) {
    fetch(tile + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    out[tile * kTile + threadIdx.x] = stage[tile % 2][kTile - 1 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void by_barrier(const int* in, int* out) {
  __shared__ int tile[kTile];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int t = 0; t < kTiles; ++t) {
    cuda::memcpy_async(block, tile, in + t * kTile, sizeof tile, barrier);
    barrier.arrive_and_wait();
    out[t * kTile + threadIdx.x] = tile[kTile - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

int main() {
  constexpr int kCount = kTile * kTiles;
  int *in, *out, host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = 7 * i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  const auto right = [&] {
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemset(out, 0, sizeof host);
    for (int i = 0; i < kCount; ++i)
      if (host[i] != 7 * (i / kTile * kTile + kTile - 1 - i % kTile)) return 0;
    return 1;
  };
  shared_by_all<<<1, 64>>>(in, out);
  const int all = right();
  by_roles<<<1, 96>>>(in, out);
  const int roles = right();
  of_each_thread<<<1, 64>>>(in, out);
  const int each = right();
  by_barrier<<<1, 64>>>(in, out);
  std::printf("%d %d %d %d\n", all, roles, each, right());
}
