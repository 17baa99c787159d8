// Without optimisation a loop around a compare-and-swap lies in one function and the operation in another: what it
// guesses first is no race. A plain addition in a function like it is one.
//# flags -G -gencode arch=compute_80,code=compute_80
//# exit 1
//# stdout 128 64 128
//# launch adds grid=16 block=128
//# launch doubles grid=4 block=64
//# launch plainly grid=2 block=64
//# fault race-global 29
#include <cuda_bf16.h>

#include <cstdio>

__global__ void adds(__nv_bfloat16* sums) {
  atomicAdd(&sums[threadIdx.x % 16], __float2bfloat16(1.0f));
}

__device__ void multiply(float* place, float factor) {
  int *bits = (int*)place, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) * factor));
  } while (assumed != old);
}
__global__ void doubles(float* product) {
  if (threadIdx.x % 43 == 0) multiply(product, threadIdx.x == 0 ? 2.0f : 1.41421356f);
}

__device__ void add(int* place) { *place += 1; }
__global__ void plainly(int* sum) { add(sum + threadIdx.x % 64); }

int main() {
  __nv_bfloat16 *sums, back;
  float *product, one = 1;
  int* count;
  cudaMalloc(&sums, 32);
  cudaMalloc(&product, 4);
  cudaMalloc(&count, 256);
  cudaMemset(sums, 0, 32);
  cudaMemset(count, 0, 256);
  cudaMemcpy(product, &one, 4, cudaMemcpyHostToDevice);
  adds<<<16, 128>>>(sums);
  doubles<<<4, 64>>>(product);
  plainly<<<2, 64>>>(count);
  cudaMemcpy(&back, sums + 3, 2, cudaMemcpyDeviceToHost);
  cudaMemcpy(&one, product, 4, cudaMemcpyDeviceToHost);
  std::printf("%.0f %.0f", __bfloat162float(back), one);
  int counts[64], sum = 0;
  cudaMemcpy(counts, count, 256, cudaMemcpyDeviceToHost);
  for (int each : counts) sum += each;
  std::printf(" %d\n", sum);
}
