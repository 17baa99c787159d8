// What goes wrong with mbarriers: made too late, too few arrivals, not waited for.
//# flags -std=c++17 -lineinfo -diag-suppress 20054 -gencode arch=compute_90,code=compute_90
//# exit 1
//# says no mbarrier.init has made one of these bytes
//# says (mbarrier): nobody can go on
//# fault race-shared 26
//# fault bad-mbarrier 0
//# fault bad-mbarrier 0
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

__global__ void never_made(int* out) {
  __shared__ unsigned long long words[2];
  words[threadIdx.x % 2] = 0;
  __syncthreads();
  reinterpret_cast<Barrier*>(words)->arrive_and_wait();
  out[threadIdx.x] = 1;
}

__global__ void one_too_few(int* out) {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x + 1);
  __syncthreads();
  bar.arrive_and_wait();
  out[threadIdx.x] = 1;
}

int main(int count, char**) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  does_not_wait<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  never_made<<<1, 2>>>(out);
  one_too_few<<<1, 64>>>(out);
}
