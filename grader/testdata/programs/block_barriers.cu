// cuda::barrier and cuda::pipeline as the CUDA headers make them for Hopper: mbarrier, cp.async.bulk, and no race in any of them.
//# flags -std=c++17 -lineinfo -diag-suppress 20054 -gencode arch=compute_90,code=compute_90
//# stdout turned 0 async 63 pipeline 18720 split 496 bulk 2016 drop 160
//# launch turn grid=2 block=64
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void turn(const int* in, int* out) {
  __shared__ Barrier bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = in[threadIdx.x] + round;
    Barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x] - round;
    bar.arrive_and_wait();
  }
}

__global__ void fetch(const int* in, int* out) {
  __shared__ Barrier bar;
  __shared__ alignas(16) int tile[64];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// Two stages: while one is summed, the next is fetched into the other.
__global__ void pipeline(const int* in, int* out, int stages) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ alignas(16) int tile[2][64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int use = 0, get = 0; use < stages; ++use) {
    for (; get < stages && get < use + 2; ++get) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[get % 2], in + get * 64, cuda::aligned_size_t<16>(256), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[use % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
  atomicAdd(out, sum);
}

// One warp fills two buffers, another empties them; a pair of barriers per buffer, each for the 64 threads of both warps.
__global__ void split(int* out) {
  __shared__ Barrier full[2], empty[2];
  __shared__ int tile[2][32];
  if (threadIdx.x < 2) init(&full[threadIdx.x], 64), init(&empty[threadIdx.x], 64);
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < 8; ++i) {
      empty[i % 2].arrive_and_wait();
      tile[i % 2][lane] = i % 2 == 0 ? lane : 0;
      Barrier::arrival_token token = full[i % 2].arrive();
    }
  } else {
    int sum = 0;
    for (int i = 0; i < 2; ++i) Barrier::arrival_token token = empty[i].arrive();
    for (int i = 0; i < 8; ++i) {
      full[i % 2].arrive_and_wait();
      sum += tile[i % 2][31 - lane];
      Barrier::arrival_token token = empty[i % 2].arrive();
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) *out = sum / 4;
  }
}

// One thread announces the bytes and asks for them; all wait for the phase by its parity. Back by a bulk group.
__global__ void bulk(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ alignas(8) unsigned long long bar;
  const unsigned barrier = (unsigned)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  for (int phase = 0; phase < 2; ++phase) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 256;" ::"r"(barrier));
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
              (unsigned)__cvta_generic_to_shared(tile[phase])),
          "l"(__cvta_generic_to_global(in)), "r"(barrier));
    }
    unsigned done = 0;
    while (!done)
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(barrier), "r"(phase));
    tile[phase][threadIdx.x] += phase;
    __syncthreads();  // a phase is waited for by its parity, so nobody may be two phases behind
  }
  asm volatile("fence.proxy.async.shared::cta;");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(__cvta_generic_to_global(out)),
                 "r"((unsigned)__cvta_generic_to_shared(tile[0])));
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;");
  }
}

// Threads that leave early are no longer waited for.
__global__ void drop(int* out) {
  __shared__ Barrier bar;
  __shared__ int count;
  if (threadIdx.x == 0) init(&bar, blockDim.x), count = 0;
  __syncthreads();
  if (threadIdx.x >= 32) {
    atomicAdd(&count, 1);
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  for (int round = 0; round < 4; ++round) {
    atomicAdd(&count, 1);
    bar.arrive_and_wait();
  }
  if (threadIdx.x == 0) *out = count;
}

int main() {
  int *in, *out, host[1024], back[128];
  for (int i = 0; i < 1024; ++i) host[i] = i % 64;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof back);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  const auto first = [&] {
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    return back[0];
  };
  cudaMemset(out, 0, sizeof back);
  turn<<<2, 64>>>(in, out);
  first();
  printf("turned %d", back[127]);
  fetch<<<1, 64>>>(in, out);
  printf(" async %d", first());
  cudaMemset(out, 0, sizeof back);
  pipeline<<<1, 64>>>(in, out, 9);
  first();
  printf(" pipeline %d", back[0] + 576);
  split<<<1, 64>>>(out);
  printf(" split %d", first());
  bulk<<<1, 64>>>(in, out);
  first();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += back[i];
  printf(" bulk %d", sum);
  drop<<<1, 64>>>(out);
  printf(" drop %d\n", first());
}
