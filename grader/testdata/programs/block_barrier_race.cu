// An arrival is no wait.
//# flags -std=c++17 -lineinfo -diag-suppress 20054 -gencode arch=compute_90,code=compute_90
//# exit 1
//# fault race-shared 18
#include <cuda/barrier>

#include <utility>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void does_not_wait(int* out) {
  __shared__ Barrier bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;
  Barrier::arrival_token token = bar.arrive();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  bar.wait(std::move(token));
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  does_not_wait<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
