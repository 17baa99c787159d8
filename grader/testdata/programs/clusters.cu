// Blocks of a cluster see each other's shared memory.
//# flags -std=c++17 -lineinfo -gencode arch=compute_90,code=compute_90
//# stdout histogram 4096 neighbours 6 ranks 28 alone 1 invalid cudaErrorInvalidClusterSize
//# stdout large cudaErrorInvalidClusterSize cudaSuccess 120
//# launch histogram grid=8 block=128
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kBins = 64;

// Each block of a pair holds half of the bins; both count into both.
__global__ void __cluster_dims__(2, 1, 1) histogram(const int* in, int* bins, int n) {
  __shared__ int half[kBins / 2];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < kBins / 2) half[threadIdx.x] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = in[i] % kBins;
    int* owner = cluster.map_shared_rank(half, bin / (kBins / 2));
    atomicAdd(owner + bin % (kBins / 2), 1);
  }
  cluster.sync();
  if (threadIdx.x < kBins / 2)
    atomicAdd(&bins[cluster.block_rank() * (kBins / 2) + threadIdx.x], half[threadIdx.x]);
}

// Reads the next block's value, and writes into the one before it.
__global__ void neighbours(int* out) {
  __shared__ int mine, theirs;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), size = cluster.num_blocks();
  if (threadIdx.x == 0) mine = (int)rank;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&theirs, (rank + size - 1) % size) = (int)rank;
  const int next = *cluster.map_shared_rank(&mine, (rank + 1) % size);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = next == theirs ? next : -100;
}

__global__ void ranks(int* out) {
  unsigned rank, size, id;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  if (threadIdx.x == 0) out[blockIdx.x] = (int)(id * size + rank);
  cg::this_cluster().sync();
}

template <class... Arguments>
cudaError_t launch(void (*kernel)(Arguments...), int blocks, int cluster, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = 32;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

int main() {
  const int n = 4096;
  int *in, *out, host[n], back[kBins], sum = 0;
  for (int i = 0; i < n; ++i) host[i] = i * 7;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof back);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof back);
  histogram<<<8, 128>>>(in, out, n);
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  for (int bin : back) sum += bin == n / kBins ? bin : 0;
  printf("histogram %d", sum);
  const auto total = [&](int count) {
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    int all = 0;
    for (int i = 0; i < count; ++i) all += back[i];
    return all;
  };
  launch(neighbours, 4, 4, out);
  printf(" neighbours %d", total(4));
  launch(ranks, 8, 2, out);
  printf(" ranks %d", total(8));
  ranks<<<2, 32>>>(out);
  printf(" alone %d", total(2));
  printf(" invalid %s\n", cudaGetErrorName(launch(ranks, 6, 4, out)));
  cudaGetLastError();
  // More blocks than every GPU with clusters can have in one.
  cudaMemset(out, 0, sizeof back);
  printf("large %s", cudaGetErrorName(launch(ranks, 16, 16, out)));
  cudaGetLastError();
  cudaFuncSetAttribute(ranks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  printf(" %s", cudaGetErrorName(launch(ranks, 16, 16, out)));
  printf(" %d\n", total(16));
}
