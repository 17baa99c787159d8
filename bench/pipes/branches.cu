// Cycles of one warp from a first load that misses L1 to the use of a second one, by what stands
// between: whether a branch waits for loads that nothing has used yet.
//   nvcc -std=c++20 -O3 -arch=native -o branches branches.cu && ./branches

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

enum class Between { nothing, branch, branch_taken, use, use_and_branch };

// Far more than the assembler predicates, on each side.
#define WORK                                                                 \
  "xor.b32 t, t, 1; add.u32 t, t, 3; xor.b32 t, t, 5; add.u32 t, t, 7;\n"    \
  "xor.b32 t, t, 9; add.u32 t, t, 11; xor.b32 t, t, 13; add.u32 t, t, 15;\n" \
  "xor.b32 t, t, 17; add.u32 t, t, 19; xor.b32 t, t, 21; add.u32 t, t, 23;\n"
#define BEGIN(name)                                                           \
  "{ .reg .pred p; .reg .b32 a, b, t; mov.u32 t, %3; setp.ne.u32 p, t, " name \
  "; \n"                                                                      \
  "ld.global.u32 a, [%1];\n"
#define ENDS "add.u32 %0, a, b; add.u32 %0, %0, t; }"

template <Between between>
__global__ void walk(const unsigned* first, const unsigned* second, unsigned never, long long* cycles,
                     unsigned* out) {
  const unsigned *one = first + threadIdx.x, *two = second + threadIdx.x;
  unsigned sum = 0;
  const long long begin = clock64();
  if constexpr (between == Between::nothing)
    asm volatile(BEGIN("77") "ld.global.u32 b, [%2];\n" WORK ENDS
                 : "=r"(sum)
                 : "l"(one), "l"(two), "r"(never));
  if constexpr (between == Between::branch)
    asm volatile(BEGIN("77") "@!p bra E1;\n ld.global.u32 b, [%2];\n" WORK
                             "bra M1;\nE1: mov.u32 b, 1;\n" WORK WORK "M1:\n" ENDS
                 : "=r"(sum)
                 : "l"(one), "l"(two), "r"(never));
  if constexpr (between == Between::branch_taken)
    asm volatile(BEGIN("77") "@p bra E2;\n mov.u32 b, 1;\n" WORK WORK
                             "bra M2;\nE2: ld.global.u32 b, [%2];\n" WORK "M2:\n" ENDS
                 : "=r"(sum)
                 : "l"(one), "l"(two), "r"(never));
  if constexpr (between == Between::use)
    asm volatile(BEGIN("77") "xor.b32 a, a, 0; .reg .b64 w; cvt.u64.u32 w, a; add.u64 w, w, %2;\n"
                             "ld.global.u32 b, [w];\n" WORK ENDS
                 : "=r"(sum) : "l"(one), "l"(two), "r"(never));
  if constexpr (between == Between::use_and_branch)
    asm volatile(BEGIN("77") "setp.ne.u32 p, a, 77;\n@!p bra E4;\n ld.global.u32 b, [%2];\n" WORK
                             "bra M4;\nE4: mov.u32 b, 1;\n" WORK WORK "M4:\n" ENDS
                 : "=r"(sum)
                 : "l"(one), "l"(two), "r"(never));
  out[threadIdx.x] = sum;
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
}

template <Between between>
void measure(const char* what, const unsigned* data, long long* cycles, unsigned* out) {
  std::vector<long long> all;
  for (int k = 0; k < 21; ++k) {
    walk<between><<<1, 32>>>(data, data + 4096, 5, cycles, out);
    long long taken = 0;
    cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost);
    all.push_back(taken);
  }
  std::sort(all.begin(), all.end());
  std::printf("%-34s %5lld cycles\n", what, all[all.size() / 2]);
}

}  // namespace

int main() {
  unsigned *data, *out;
  long long* cycles;
  cudaMalloc(&data, 1 << 20);
  cudaMalloc(&out, 256);
  cudaMalloc(&cycles, sizeof *cycles);
  cudaMemset(data, 0, 1 << 20);
  measure<Between::nothing>("nothing between", data, cycles, out);
  measure<Between::branch>("a branch, not taken", data, cycles, out);
  measure<Between::branch_taken>("a branch, taken", data, cycles, out);
  measure<Between::use>("the second address needs the first", data, cycles, out);
  measure<Between::use_and_branch>("a branch on what was loaded", data, cycles, out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
