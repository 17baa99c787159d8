// A level of a breadth-first search, as textbooks have it: whoever finds something new says so, and all say the same.
//# says note
//# says uniform_writes.cu:15 in visit
//# stdout level 1: 64 of 64, again 1
//# launch visit grid=2 block=32
//# fault race-same-value 15

#include <cstdio>

__global__ void visit(int* level, int* again, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || level[i] >= 0) return;
  level[i] = 1;
  // Many threads, one value.
  *again = 1;
}

int main() {
  constexpr int kNodes = 64;
  int *level, *again, found[kNodes], count = 0, more = 0;
  cudaMalloc(&level, sizeof found);
  cudaMalloc(&again, sizeof more);
  cudaMemset(level, 0xff, sizeof found);
  cudaMemset(again, 0, sizeof more);
  visit<<<2, 32>>>(level, again, kNodes);
  cudaMemcpy(found, level, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(&more, again, sizeof more, cudaMemcpyDeviceToHost);
  for (int each : found) count += each == 1;
  std::printf("level 1: %d of %d, again %d\n", count, kNodes, more);
}
