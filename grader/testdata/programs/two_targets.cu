// Code for exactly this GPU goes before code for all that come after it.
//# flags -lineinfo -gencode arch=compute_90,code=compute_90 -gencode arch=compute_90a,code=compute_90a
//# stdout 1
#include <cstdio>

__global__ void which(int* out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  *out = 1;
#else
  *out = 0;
#endif
}

int main() {
  int* out;
  int host = -1;
  cudaMalloc(&out, sizeof host);
  which<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
}
