//# options --max-instructions 100000
//# exit 1
//# stdout cudaErrorLaunchTimeout
//# says stopped when it had cost as much as 100,000 warp
//# says --max-instructions NUMBER lets a kernel go on that only takes long
//# fault endless-loop 10
#include <cstdio>

__global__ void spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

int main() {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  spin<<<1, 32>>>(flag);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
