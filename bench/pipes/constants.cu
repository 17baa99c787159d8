// What loads from constant memory cost whose lanes name different addresses: cycles of an SM for each of a
// warp's loads, by how many addresses its lanes name, how far apart those are, and how many warps load; each
// load needs the value of the one before.
//   nvcc -std=c++20 -O3 -arch=native -o constants constants.cu && ./constants

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kRounds = 128, kWords = 8192;

__constant__ int table[kWords];  // zeros, which the compiler does not know

__global__ void load(long long* cycles, int addresses, int apart, int* out) {
  int at = static_cast<int>(threadIdx.x) % 32 % addresses * apart;
  for (int i = 0; i < kWords; i += 32) at += table[i];  // into the cache
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (int round = 0; round < kRounds; ++round) at += table[at];
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  out[threadIdx.x] = at;
}

}  // namespace

int main() {
  long long* cycles = nullptr;
  int* out = nullptr;
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaMalloc(&out, 1024 * sizeof(int));
  for (const int apart : {1, 16, 64}) {
    std::printf("%d bytes apart\n  addresses", 4 * apart);
    for (const int addresses : {1, 2, 4, 8, 16, 32}) std::printf(" %8d", addresses);
    for (const int warps : {1, 4, 8, 16, 32}) {
      std::printf("\n  %2d warps ", warps);
      for (const int addresses : {1, 2, 4, 8, 16, 32}) {
        for (int twice = 0; twice < 2; ++twice) {
          load<<<1, 32 * warps>>>(cycles, addresses, apart, out);
          cudaDeviceSynchronize();
        }
        std::printf(" %8.1f", static_cast<double>(*cycles) / kRounds / warps);
      }
    }
    std::printf("\n");
  }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
