// What loads cost whose lanes name several lines that L1 holds: cycles of an SM for each, by how many lines,
// how far apart these are (0: drawn), which word of its line a lane takes (one of its own, the first, or
// any), and how many bytes. 16 warps, each of which has several loads under way; below 4 cycles it is these
// that the loop itself takes.
//   nvcc -std=c++20 -O3 -arch=native -o lines lines.cu && ./lines

#include <cuda_runtime.h>

#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int kAtOnce = 8, kRounds = 64, kWarps = 16;
constexpr int kHeld = 1024;  // lines, 128 KB

/// lines: which line each lane names in each load, [kAtOnce][32]; words: which piece of it, [32], as far as a
/// line has as many.
template <class T>
__global__ void run(long long* cycles, float* out, const T* table, const int* lines, const int* words,
                    int step) {
  constexpr int kPieces = 128 / sizeof(T);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int at[kAtOnce];
  const int word = words[lane] % kPieces;
  for (int i = 0; i < kAtOnce; ++i) at[i] = lines[i * 32 + lane];
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < kHeld * kPieces; i += static_cast<int>(blockDim.x))
    sum += reinterpret_cast<const float*>(table + i)[0];
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const T* from = table + at[i] * kPieces + word;
      if constexpr (sizeof(T) == 4) {
        float a;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(a) : "l"(from));
        sum += a;
      } else if constexpr (sizeof(T) == 8) {
        float a, b;
        asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(from));
        sum += a + b;
      } else {
        float a, b, c, d;
        asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                     : "l"(from));
        sum += a + b + (c + d);
      }
      at[i] = (at[i] + step) % kHeld;
    }
  }
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  out[threadIdx.x] = sum;
}

enum class Word { own, first, any };

/// `apart`: from one line to the next one; 0: drawn.
template <class T>
void row(long long* cycles, float* out, const void* table, int* lines, int* words, int apart, Word word) {
  std::mt19937 random(1);
  const char* const name = word == Word::own ? "own  " : word == Word::first ? "first" : "any  ";
  std::printf("%2zu bytes, %2d apart, %s", sizeof(T), apart, name);
  for (int lane = 0; lane < 32; ++lane)
    words[lane] = word == Word::own ? lane : word == Word::first ? 0 : static_cast<int>(random() % 32);
  for (const int many : {1, 2, 4, 8, 16, 32}) {
    for (int i = 0; i < kAtOnce; ++i) {
      std::vector<int> of(static_cast<std::size_t>(many));
      for (int k = 0; k < many; ++k)
        of[k] = apart == 0 ? static_cast<int>(random() % kHeld) : (k * apart + 32 * i) % kHeld;
      for (int lane = 0; lane < 32; ++lane)
        lines[i * 32 + lane] = of[static_cast<std::size_t>(lane * many / 32)];
    }
    for (int n = 0; n < 2; ++n) {
      run<T><<<1, 32 * kWarps>>>(cycles, out, static_cast<const T*>(table), lines, words, 1);
      cudaDeviceSynchronize();
    }
    std::printf(" %7.2f", static_cast<double>(*cycles) / kRounds / kAtOnce / kWarps);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  long long* cycles = nullptr;
  float *out = nullptr, *table = nullptr;
  int *lines = nullptr, *words = nullptr;
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaMallocManaged(&lines, kAtOnce * 32 * sizeof(int));
  cudaMallocManaged(&words, 32 * sizeof(int));
  cudaMalloc(&out, 4096);
  cudaMalloc(&table, kHeld * 128);
  cudaMemset(table, 0, kHeld * 128);
  std::printf("lines of a load:           1       2       4       8      16      32\n");
  for (const Word word : {Word::own, Word::first, Word::any})
    for (const int apart : {0, 1, 2, 3, 4, 5, 8, 16, 17, 32})
      row<float>(cycles, out, table, lines, words, apart, word);
  for (const Word word : {Word::own, Word::first, Word::any})
    for (const int apart : {0, 1, 8}) row<float2>(cycles, out, table, lines, words, apart, word);
  for (const Word word : {Word::own, Word::first, Word::any})
    for (const int apart : {0, 1, 8}) row<float4>(cycles, out, table, lines, words, apart, word);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
