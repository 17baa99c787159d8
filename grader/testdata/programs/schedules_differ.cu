//# options --schedules 6
//# exit 1
//# says schedules of warps and blocks change the results
//# says --schedule
//# says what copy 1 from the device brings (4 bytes) differs
// Whoever comes last wins: without a word from the program, what it copies back tells.
#include <cstdio>

__global__ void last_wins(int* winner) {
  if (threadIdx.x == 0) atomicExch(winner, (int)blockIdx.x);
}

int main() {
  int *winner, result = -1;
  cudaMalloc(&winner, sizeof(int));
  cudaMemset(winner, 0, sizeof(int));
  last_wins<<<40, 64>>>(winner);
  cudaMemcpy(&result, winner, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s\n", result >= 0 ? "done" : "nothing");
}
