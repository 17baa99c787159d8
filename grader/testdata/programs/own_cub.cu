// A namespace that is called as CUB's and Thrust's are does not make a kernel theirs: what it reads before anything is stored there
// is told.
//# exit 1
//# stdout done
//# fault uninitialised-read 12
//# fault uninitialised-read 18
#include <cstdio>

namespace cub {
__global__ void peeks(int* out) {
  __shared__ int s[32];
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
}  // namespace cub
namespace thrust {
__global__ void peeks(int* out) {
  __shared__ int s[32];
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
}  // namespace thrust

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  cub::peeks<<<1, 32>>>(out);
  thrust::peeks<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  std::puts("done");
}
