// Cycles of an SM per access of a warp to local memory that lies in L1: loads, stores, and a store with a
// load of what it stored, of 4, 8 and 16 bytes a lane, by all lanes and by the first eight of them.
//   nvcc -std=c++20 -O3 -arch=native -o local local.cu && ./local

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr unsigned kRounds = 256, kInRound = 8;  // pieces of each lane, which are gone through in turn

template <class T>
__device__ void store(T* place, float value) {
  const auto at = __cvta_generic_to_local(place);
  if constexpr (sizeof(T) == 16)
    asm volatile("st.local.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(at), "f"(value));
  else if constexpr (sizeof(T) == 8)
    asm volatile("st.local.v2.f32 [%0], {%1, %1};" ::"l"(at), "f"(value));
  else
    asm volatile("st.local.f32 [%0], %1;" ::"l"(at), "f"(value));
}

template <class T>
__device__ float load(T* place) {
  const auto at = __cvta_generic_to_local(place);
  float a, b = 0, c = 0, d = 0;
  if constexpr (sizeof(T) == 16)
    asm volatile("ld.local.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(at));
  else if constexpr (sizeof(T) == 8)
    asm volatile("ld.local.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(at));
  else
    asm volatile("ld.local.f32 %0, [%1];" : "=f"(a) : "l"(at));
  // All of it is used, or the assembler loads one word.
  if constexpr (sizeof(T) == 4) return a;
  return sizeof(T) == 8 ? a + b : a + b + (c + d);
}

/// `step` is 1, which nobody knows before it runs: so the pieces have no place in registers.
template <class T, bool stores, bool loads>
__global__ void run(long long* cycles, float* out, unsigned lanes, unsigned step) {
  T pieces[kInRound] = {};
  for (unsigned i = 0; i < kInRound; ++i) store(&pieces[i * step % kInRound], 1.0f * threadIdx.x);
  __syncthreads();
  const long long begin = clock64();
  float sum = 0;
  if (threadIdx.x % 32 < lanes) {
    unsigned at = 0;
#pragma unroll 1
    for (unsigned round = 0; round < kRounds; ++round, at += step) {
#pragma unroll
      for (unsigned i = 0; i < kInRound; ++i) {
        T* const place = &pieces[(at + i) % kInRound];
        if constexpr (stores) store(place, sum);
        if constexpr (loads) sum += load(place);
      }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  out[threadIdx.x] = sum + load(&pieces[step]);
}

template <class T, bool stores, bool loads>
double cycles_of(unsigned warps, unsigned lanes, long long* cycles, float* out) {
  for (int again = 0; again < 3; ++again) run<T, stores, loads><<<1, 32 * warps>>>(cycles, out, lanes, 1);
  long long taken = 0;
  cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost);
  return static_cast<double>(taken) / (kRounds * kInRound * warps);
}

template <class T>
void table_of(unsigned warps, unsigned lanes, long long* cycles, float* out) {
  std::printf("  %8u %8zu %8.2f %8.2f %8.2f\n", lanes, sizeof(T),
              cycles_of<T, false, true>(warps, lanes, cycles, out),
              cycles_of<T, true, false>(warps, lanes, cycles, out),
              cycles_of<T, true, true>(warps, lanes, cycles, out));
}

}  // namespace

int main() {
  long long* cycles;
  float* out;
  cudaMalloc(&cycles, sizeof *cycles);
  cudaMalloc(&out, 1024 * sizeof(float));
  for (const unsigned warps : {1, 8, 32}) {
    std::printf("%u warps\n     lanes    bytes     load    store     both\n", warps);
    for (const unsigned lanes : {8, 32}) {
      table_of<float>(warps, lanes, cycles, out);
      table_of<float2>(warps, lanes, cycles, out);
      table_of<float4>(warps, lanes, cycles, out);
    }
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
