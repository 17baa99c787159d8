// cp.reduce.async.bulk: many blocks add into the same place, which is no race.
//# flags -lineinfo -gencode arch=compute_90,code=compute_90
//# stdout 120 15 136.0 1
//# launch add grid=16 block=32
#include <cstdio>
#include <cuda_fp16.h>

#define BULK(operation, to, from)                                                                             \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation " [%0], [%1], 16;" ::"l"(to),  \
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))) : "memory")

__global__ void add(int* sums, unsigned* most, __half* halves) {
  __shared__ alignas(128) int values[4];
  __shared__ alignas(128) __half few[8];
  if (threadIdx.x < 4) values[threadIdx.x] = blockIdx.x;
  if (threadIdx.x < 8) few[threadIdx.x] = __float2half(blockIdx.x + 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    BULK("add.s32", sums, values);
    BULK("max.u32", most, values);
    BULK("add.noftz.f16", halves, few);
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

__global__ void explicit_cluster(int* out) {
  unsigned is = 0;
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(is));
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = is;
}

int main() {
  int* sums;
  unsigned* most;
  __half* halves;
  cudaMalloc(&sums, 16);
  cudaMalloc(&most, 16);
  cudaMalloc(&halves, 16);
  cudaMemset(sums, 0, 16);
  cudaMemset(most, 0, 16);
  cudaMemset(halves, 0, 16);
  add<<<16, 32>>>(sums, most, halves);
  int sum, is;
  unsigned largest;
  __half half;
  cudaMemcpy(&sum, sums + 3, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&largest, most, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&half, halves + 7, 2, cudaMemcpyDeviceToHost);

  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, explicit_cluster, sums);
  cudaMemcpy(&is, sums, 4, cudaMemcpyDeviceToHost);
  std::printf("%d %u %.1f %d\n", sum, largest, __half2float(half), is);
}
