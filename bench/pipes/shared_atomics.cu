// What atomics on shared memory cost one block of an SM, in cycles for each of a warp's instructions: by how
// many lanes name one address, by how many warps are at it, and whether all warps name the same addresses or
// each its own. An integer's are one instruction; a float's are a loop that a lane leaves when nobody was
// faster.
//   nvcc -std=c++20 -O3 -arch=native -o shared_atomics shared_atomics.cu && ./shared_atomics

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kRounds = 64, kWords = 32 * 32;

template <class T, bool kUses>
__global__ void meet(long long* cycles, int sharing, bool together, T* out) {
  __shared__ T words[kWords];
  for (int i = static_cast<int>(threadIdx.x); i < kWords; i += static_cast<int>(blockDim.x)) words[i] = T{};
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  T* mine = words + (together ? 0 : warp * 32) + lane / sharing;
  T sum{};
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int r = 0; r < kRounds; ++r) {
    const T old = atomicAdd(mine, T{1});
    if constexpr (kUses) sum += old;
  }
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  out[threadIdx.x] = sum + words[threadIdx.x];
}

template <class T, bool kUses>
void measure(const char* name) {
  long long* cycles = nullptr;
  T* out = nullptr;
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaMalloc(&out, 1024 * sizeof(T));
  for (const bool together : {false, true}) {
    std::printf("%s, %s\n  lanes on one address", name,
                together ? "all warps at the same" : "each warp its own");
    for (const int sharing : {1, 2, 4, 8, 16, 32}) std::printf(" %8d", sharing);
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
      std::printf("\n  %2d warps            ", warps);
      for (const int sharing : {1, 2, 4, 8, 16, 32}) {
        for (int twice = 0; twice < 2; ++twice) {
          meet<T, kUses><<<1, 32 * warps>>>(cycles, sharing, together, out);
          cudaDeviceSynchronize();
        }
        std::printf(" %8.1f", static_cast<double>(*cycles) / kRounds / warps);
      }
    }
    std::printf("\n");
  }
}

}  // namespace

int main() {
  measure<int, false>("int, result unused");
  measure<int, true>("int, result used");
  measure<float, false>("float, result unused");
  measure<float, true>("float, result used");
  measure<double, false>("double, result unused");
  measure<unsigned long long, false>("64-bit integer, result unused");
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
