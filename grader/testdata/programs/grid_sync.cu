//# stdout reversed 0 sum 499500 sum 499500
//# stdout without a cooperative launch: no error
//# stdout too large: cudaErrorCooperativeLaunchTooLarge
//# launch reverse_and_sum grid=8 block=64
//# launch reverse_and_sum grid=8 block=64
//# launch reverse_and_sum grid=8 block=64
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Each phase reads what other blocks wrote in the one before: only the grid's barrier orders them.
__global__ void reverse_and_sum(const int* in, int* reversed, int* sums, int n) {
  cg::grid_group grid = cg::this_grid();
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) reversed[i] = in[n - 1 - i];
  grid.sync();
  int sum = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) sum += reversed[n - 1 - i];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  sum = cg::reduce(warp, sum, cg::plus<int>());
  if (warp.thread_rank() == 0) atomicAdd(&sums[0], sum);
  auto token = grid.barrier_arrive();
  grid.barrier_wait(std::move(token));
  if (grid.thread_rank() == 0) sums[1] = sums[0];
}

int main() {
  const int n = 1000;
  int *in, *reversed, *sums, host[n], result[2];
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&reversed, n * sizeof(int));
  cudaMalloc(&sums, 2 * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  int count = n;
  void* arguments[] = {&in, &reversed, &sums, &count};
  for (int round = 0; round < 2; ++round) {
    cudaMemset(sums, 0, 2 * sizeof(int));
    cudaLaunchCooperativeKernel((void*)reverse_and_sum, 8, 64, arguments, 0, nullptr);
  }
  cudaMemcpy(host, reversed, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
  printf("reversed %d sum %d sum %d\n", host[n - 1], result[0], result[1]);
  const cudaError_t large = cudaLaunchCooperativeKernel((void*)reverse_and_sum, 100000, 64, arguments, 0, nullptr);
  reverse_and_sum<<<8, 64>>>(in, reversed, sums, n);
  printf("without a cooperative launch: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("too large: %s\n", cudaGetErrorName(large));
  return 0;
}
