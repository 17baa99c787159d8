// What kernels print comes out when somebody waits for them; a failed assertion stops them.
//# exit 1
//# stdout launched
//# stdout thread 1 of block 0: 2.50
//# stdout waited
//# stdout cudaErrorAssert
//# says assertion `*p == 1` failed
//# fault trap 17
#include <cassert>
#include <cstdio>

__global__ void say() {
  if (threadIdx.x == 1) printf("thread %u of block %d: %.2f\n", threadIdx.x, static_cast<int>(blockIdx.x), 2.5);
}

__global__ void claim(const int* p) {
  assert(*p == 1);
}

int main() {
  say<<<1, 2>>>();
  std::puts("launched");
  cudaDeviceSynchronize();
  std::puts("waited");
  int* p;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  claim<<<1, 1>>>(p);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
