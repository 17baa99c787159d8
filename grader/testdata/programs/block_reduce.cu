// Libraries for the device side work because their PTX does.
//# stdout 499500
//# launch reduce grid=1 block=128
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>

#include <cstdio>

__global__ void reduce(int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  int mine = 0;
  for (int i = threadIdx.x; i < 1000; i += 128) mine += i;
  const int sum = Reduce(storage).Sum(mine);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  reduce<<<1, 128>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
}
