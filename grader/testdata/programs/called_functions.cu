// Functions that are not inlined (-G) have their own shared memory, share the dynamic one, and cooperative groups find
// the shared memory that the system reserves.
//# flags -G -arch=sm_80
//# stdout 32640 510 28 2016
//# launch sums grid=1 block=256
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ __noinline__ int sum_of_block(int value) {
  __shared__ int parts[8];
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  int sum = 0;
  for (int part : parts) sum += part;
  return sum;
}

__device__ __noinline__ int from_dynamic(int i) {
  extern __shared__ int dynamic[];
  return dynamic[i];
}

__global__ void sums(int* out) {
  __shared__ int mine[256];
  extern __shared__ int dynamic[];
  mine[threadIdx.x] = threadIdx.x;
  dynamic[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  const int sum = sum_of_block(mine[255 - threadIdx.x]);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = from_dynamic(255);
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::labeled_partition(warp, threadIdx.x / 8);
  const int of_eight = cg::reduce(eight, static_cast<int>(threadIdx.x), cg::plus<int>());
  const auto pair = cg::tiled_partition<64>(cg::this_thread_block());
  const int of_pair = cg::reduce(pair, static_cast<int>(threadIdx.x), cg::plus<int>());
  if (threadIdx.x == 0) {
    out[2] = of_eight;
    out[3] = of_pair;
  }
}

int main() {
  int *out, host[4];
  cudaMalloc(&out, sizeof host);
  sums<<<1, 256, 1024>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
}
