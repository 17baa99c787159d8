// A kernel that launches kernels is refused by what it is.
//# flags -rdc=true -arch=sm_80 -lcudadevrt
//# exit 1
//# says dynamic parallelism, a launch by device code, which the simulator does not support
#include <cstdio>

__global__ void child(int* x) { *x = 1; }
__global__ void parent(int* x) { child<<<1, 1>>>(x); }

int main() {
  int* x;
  cudaMalloc(&x, sizeof *x);
  parent<<<1, 1>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess;
}
