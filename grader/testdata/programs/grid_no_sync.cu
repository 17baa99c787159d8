//# exit 1
//# fault race-global 12
//# fault uninitialised-read 15
// A block barrier where the grid's is needed.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reverse_twice(const int* in, int* reversed, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = (int)grid.thread_rank();
  reversed[i] = in[n - 1 - i];
  cg::this_thread_block().sync();
  __threadfence();
  out[i] = reversed[n - 1 - i];
}

int main() {
  const int n = 256;
  int *in, *reversed, *out, count = n;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&reversed, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  void* arguments[] = {&in, &reversed, &out, &count};
  cudaLaunchCooperativeKernel((void*)reverse_twice, 4, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  return 0;
}
