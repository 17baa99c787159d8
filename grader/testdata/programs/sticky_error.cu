// A failed launch shows at the first call that waits for it, and in every call after that.
//# exit 1
//# stdout cudaSuccess
//# stdout cudaErrorIllegalAddress
//# stdout cudaErrorIllegalAddress
//# stdout cudaErrorIllegalAddress
//# fault null-pointer 11
#include <cstdio>

__global__ void follow(int* p) {
  *p = 1;
}

int main() {
  follow<<<1, 1>>>(nullptr);
  std::puts(cudaGetErrorName(cudaGetLastError()));
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  void* p;
  std::puts(cudaGetErrorName(cudaMalloc(&p, 4)));
  std::puts(cudaGetErrorName(cudaGetLastError()));
}
