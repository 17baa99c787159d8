// Cycles of an SM per access of a warp to local memory that lies in L1: loads, stores, and a store with a
// load of what it stored, of 4, 8 and 16 bytes a lane, by all lanes and by the first eight of them; and of
// bytes and words whose places differ by lane, by how many places the lanes of a warp name.
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

/// Bytes or words of each lane at places of its own: `places` of them in a warp, neighbours in each lane.
template <class T, bool stores>
__global__ void run_apart(long long* cycles, int* out, unsigned places, unsigned step) {
  constexpr unsigned kPieces = 128 / sizeof(T);
  T pieces[kPieces];
  for (unsigned i = 0; i < kPieces; ++i) pieces[i * step] = static_cast<T>(0);
  const unsigned first = threadIdx.x % 32 % places * step * (kPieces / 32);
  __syncthreads();
  const long long begin = clock64();
  int sum = 0;
#pragma unroll 8
  for (unsigned round = 0; round < kRounds; ++round) {
    volatile T& piece = pieces[(first + round) % kPieces];
    if constexpr (stores)
      piece = static_cast<T>(round);
    else
      sum += piece;
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  out[threadIdx.x] = sum + pieces[first];
}

template <class T, bool stores>
void row_of_places(const char* name, unsigned warps, long long* cycles, int* out) {
  std::printf("  %-14s", name);
  for (const unsigned places : {1, 2, 4, 8, 16, 32}) {
    for (int again = 0; again < 3; ++again) run_apart<T, stores><<<1, 32 * warps>>>(cycles, out, places, 1);
    long long taken = 0;
    cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost);
    std::printf(" %8.2f", static_cast<double>(taken) / (kRounds * warps));
  }
  std::printf("\n");
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
  for (const unsigned warps : {1, 8, 32}) {
    std::printf(
        "%u warps, by places\n                       1        2        4        8       16       32\n",
        warps);
    int* const numbers = reinterpret_cast<int*>(out);
    row_of_places<int, false>("words, loads", warps, cycles, numbers);
    row_of_places<int, true>("words, stores", warps, cycles, numbers);
    row_of_places<signed char, false>("bytes, loads", warps, cycles, numbers);
    row_of_places<signed char, true>("bytes, stores", warps, cycles, numbers);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
