// Two files that are compiled apart and linked (nvcc -rdc=true): functions, variables and kernels of each other.
//# flags -rdc=true -arch=sm_80 -lineinfo
//# parts linked_other.cu
//# exit 1
//# stdout 17 32 99
//# launch use grid=1 block=32
//# launch other grid=1 block=1
//# launch past_end grid=1 block=1
//# fault out-of-bounds 13
//# says linked_other.cu:13
#include <cstdio>

extern __device__ float scaled(float x);
extern __device__ int counter;
extern __constant__ float table[4];
__global__ void other(int* out);
__global__ void past_end(int* out);
int read_counter();

__global__ void use(float* out) {
  out[threadIdx.x] = scaled(threadIdx.x) + table[threadIdx.x % 4];
  atomicAdd(&counter, 1);
}

int main() {
  const float values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(table, values, sizeof values);
  float *out, host[32];
  int* one;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&one, sizeof *one);
  use<<<1, 32>>>(out);
  other<<<1, 1>>>(one);
  int hidden = 0;
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hidden, one, sizeof hidden, cudaMemcpyDeviceToHost);
  std::printf("%g %d %d\n", host[5], read_counter(), hidden);
  past_end<<<1, 1>>>(one);
}
