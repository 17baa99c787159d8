// Cycles of an SM per instruction of a warp, by how many warps it has and by how many chains of results each
// of them goes on with in turn: what an instruction waits for the one before it, and what it does not. And
// cycles of a warp for one round of a loop that is not unrolled, by what is in it.
//   nvcc -std=c++20 -O3 -arch=native -o chains chains.cu && ./chains

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kRounds = 256, kInRound = 48;  // a multiple of every number of chains

enum class Kind { fma, add, integer, root, shared };

template <Kind kind>
__device__ void step(float& x, int& i, const int* table) {
  if constexpr (kind == Kind::fma) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
  if constexpr (kind == Kind::add) asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
  if constexpr (kind == Kind::integer) asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(i));
  if constexpr (kind == Kind::root) asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(x));
  if constexpr (kind == Kind::shared) i = table[i];
}

template <Kind kind, int chains>
__global__ void run(long long* cycles, float* out) {
  __shared__ int table[64];
  if (threadIdx.x < 64) table[threadIdx.x] = threadIdx.x;
  float x[chains];
  int i[chains];
  for (int c = 0; c < chains; ++c) x[c] = 1.0f + c + threadIdx.x, i[c] = (c + threadIdx.x) % 64;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round)
#pragma unroll
    for (int n = 0; n < kInRound / chains; ++n)
#pragma unroll
      for (int c = 0; c < chains; ++c) step<kind>(x[c], i[c], table);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  for (int c = 0; c < chains; ++c) out[threadIdx.x] += x[c] + i[c];
}

/// What the last of three launches has left in `cycles`.
template <class Launch>
double taken(long long* cycles, Launch launch) {
  for (int again = 0; again < 3; ++again) launch();
  long long last = 0;
  cudaMemcpy(&last, cycles, sizeof last, cudaMemcpyDeviceToHost);
  return static_cast<double>(last);
}

template <Kind kind, int chains>
double cycles_of(int warps, long long* cycles, float* out) {
  return taken(cycles, [&] { run<kind, chains><<<1, 32 * warps>>>(cycles, out); }) / (kRounds * kInRound);
}

template <Kind kind>
void table_of(const char* name, long long* cycles, float* out) {
  std::printf("%s: cycles for one instruction of each warp\n  warps   1 chain  2       3       4       8\n",
              name);
  for (const int warps : {1, 2, 4, 8, 12, 16, 32})
    std::printf("  %5d %8.2f%8.2f%8.2f%8.2f%8.2f\n", warps, cycles_of<kind, 1>(warps, cycles, out),
                cycles_of<kind, 2>(warps, cycles, out), cycles_of<kind, 3>(warps, cycles, out),
                cycles_of<kind, 4>(warps, cycles, out), cycles_of<kind, 8>(warps, cycles, out));
}

/// A loop with `count` fma in each round, of one chain or of as many.
template <int count, bool one_chain>
__global__ void run_loop(long long* cycles, float* out, int rounds) {
  float x[count];
  int unused = 0;
  for (int i = 0; i < count; ++i) x[i] = 1.0f + i + threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < count; ++i) step<Kind::fma>(x[one_chain ? 0 : i], unused, nullptr);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  for (int i = 0; i < count; ++i) out[threadIdx.x] += x[i];
}

template <int count, bool one_chain>
double cycles_of_round(long long* cycles, float* out) {
  return taken(cycles, [&] { run_loop<count, one_chain><<<1, 32>>>(cycles, out, kRounds); }) / kRounds;
}

template <bool one_chain>
void table_of_rounds(const char* name, long long* cycles, float* out) {
  std::printf("  %-10s %8.2f%8.2f%8.2f%8.2f%8.2f\n", name, cycles_of_round<1, one_chain>(cycles, out),
              cycles_of_round<2, one_chain>(cycles, out), cycles_of_round<4, one_chain>(cycles, out),
              cycles_of_round<8, one_chain>(cycles, out), cycles_of_round<16, one_chain>(cycles, out));
}

}  // namespace

int main() {
  long long* cycles;
  float* out;
  cudaMalloc(&cycles, sizeof *cycles);
  cudaMalloc(&out, 1024 * sizeof(float));
  table_of<Kind::fma>("fma.f32", cycles, out);
  table_of<Kind::add>("add.f32", cycles, out);
  table_of<Kind::integer>("mad.s32", cycles, out);
  table_of<Kind::root>("rsqrt.approx", cycles, out);
  table_of<Kind::shared>("ld.shared", cycles, out);
  std::printf(
      "a round of a loop: cycles of one warp\n  fma               1       2       4       8      16\n");
  table_of_rounds<true>("one chain", cycles, out);
  table_of_rounds<false>("as many", cycles, out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
