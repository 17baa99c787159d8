// Lanes that store 4 bytes each, 4 to 256 bytes apart, and go on with the next 4: how many cycles the way of
// an SM to L2 is busy with a request, and which stores in a row reach L2 as one, with few and many warps,
// and with loads between them or none. Counters say so, in the order of the lines that this prints:
//   nvcc -std=c++20 -O3 -arch=native -o stores stores.cu && ncu --cache-control none --clock-control none
//     --metrics gpu__time_duration.sum,l1tex__m_l1tex2xbar_req_cycles_active.sum,
//     lts__t_requests_srcunit_tex_op_write.sum,lts__t_sectors_op_write.sum ./stores

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kThreads = 256;

enum class Between { nothing, loads, loads_of_the_same };

template <Between kBetween>
__global__ void put(const float* from, float* to, int each) {
  const std::size_t first = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) * each;
#pragma unroll 4
  for (int k = 0; k < each; ++k) {
    float value = 1.0f;
    if (kBetween == Between::loads) value = from[first + k];
    if (kBetween == Between::loads_of_the_same) value = to[first + k] * 2.0f;
    to[first + k] = value;
  }
}

}  // namespace

int main() {
  constexpr std::size_t kBytes = std::size_t{512} << 20;
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, kBytes);
  cudaMalloc(&to, kBytes);
  cudaMemset(from, 0, kBytes);
  cudaMemset(to, 0, kBytes);
  int launches = 0;
  for (const int blocks : {8, 132, 1056})
    for (const int apart : {4, 16, 32, 48, 64, 96, 128, 256}) {
      std::printf("%4d blocks, %3d bytes apart, launches %d to %d: stores alone, copies, in place\n", blocks,
                  apart, launches, launches + 2);
      launches += 3;
      put<Between::nothing><<<blocks, kThreads>>>(from, to, apart / 4);
      put<Between::loads><<<blocks, kThreads>>>(from, to, apart / 4);
      put<Between::loads_of_the_same><<<blocks, kThreads>>>(from, to, apart / 4);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
