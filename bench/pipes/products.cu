// Cycles of an SM for each mma of a kind, where all its warps do nothing else: what the model charges for
// products of matrices. One block, the fastest of five runs, for 4 to 32 warps.
//   nvcc -std=c++20 -O2 --extended-lambda -arch=native -o products products.cu && ./products

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

namespace {

constexpr int kRounds = 64;
template <class Sum>
constexpr int kChains = sizeof(Sum) == 8
                            ? 2
                            : 8;  // sums of a warp: none waits for its own, and all are in registers

template <class Sum, class Op>
__global__ void __launch_bounds__(1024) repeat(long long* cycles, Op op, int factor) {
  // Each chain begins with another value: of equal ones the assembler would keep one.
  constexpr int kCount = kChains<Sum>;
  Sum sums[kCount][4];
  for (int i = 0; i < 4 * kCount; ++i) sums[i / 4][i % 4] = static_cast<Sum>(threadIdx.x + i);
  __syncthreads();
  const long long begin = clock64();
  for (int r = 0; r < kRounds; ++r) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) op(sums[i], factor);
  }
  __syncthreads();
  const long long end = clock64();
  Sum all = 0;
  for (int i = 0; i < 4 * kCount; ++i) all += sums[i / 4][i % 4];
  if (threadIdx.x == 0 || all == static_cast<Sum>(-77)) *cycles = end - begin;  // so that they are needed
}

long long* device_cycles = nullptr;

template <class Sum, class Op>
void measure(const char* what, Op op) {
  std::printf("%-36s", what);
  for (int warps : {4, 8, 16, 32}) {
    long long best = -1;
    for (int i = 0; i < 5; ++i) {
      repeat<Sum><<<1, 32 * warps>>>(device_cycles, op, 0);
      long long cycles = 0;
      if (const auto error = cudaMemcpy(&cycles, device_cycles, sizeof cycles, cudaMemcpyDeviceToHost)) {
        std::printf("  %s\n", cudaGetErrorString(error));
        return;
      }
      best = best < 0 ? cycles : std::min(best, cycles);
    }
    std::printf("  %6.2f", static_cast<double>(best) / (kRounds * kChains<Sum> * warps));
  }
  std::printf("\n");
}

// %0 to %3 are a lane's sums, %4 a register of a factor.
#define FLOATS(shape, registers)                                  \
  measure<float>(shape, [] __device__(float* s, int factor) {     \
    asm volatile("mma.sync.aligned." shape " " registers ";"      \
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]) \
                 : "r"(factor));                                  \
  })
#define INTEGERS(shape, registers)                                \
  measure<int>(shape, [] __device__(int* s, int factor) {         \
    asm volatile("mma.sync.aligned." shape " " registers ";"      \
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) \
                 : "r"(factor));                                  \
  })
#define DOUBLES(shape, registers)                                 \
  measure<double>(shape, [] __device__(double* s, int factor) {   \
    asm volatile("mma.sync.aligned." shape " " registers ";"      \
                 : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3]) \
                 : "d"(1.0));                                     \
  })
#define WHOLE "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3}"
#define HALF "{%0,%1,%2,%3}, {%4,%4}, {%4}, {%0,%1,%2,%3}"

}  // namespace

int main() {
  cudaDeviceProp gpu;
  if (const auto error = cudaGetDeviceProperties(&gpu, 0)) {
    std::fprintf(stderr, "no GPU: %s\n", cudaGetErrorString(error));
    return 3;
  }
  std::printf("%s, cycles of an SM for each mma, with 4, 8, 16 and 32 warps\n", gpu.name);
  cudaMalloc(&device_cycles, sizeof(long long));
  FLOATS("m16n8k16.row.col.f32.f16.f16.f32", WHOLE);
  FLOATS("m16n8k8.row.col.f32.f16.f16.f32", HALF);
  FLOATS("m16n8k16.row.col.f32.bf16.bf16.f32", WHOLE);
  FLOATS("m16n8k8.row.col.f32.bf16.bf16.f32", HALF);
  FLOATS("m16n8k8.row.col.f32.tf32.tf32.f32", WHOLE);
  FLOATS("m16n8k4.row.col.f32.tf32.tf32.f32", HALF);
  INTEGERS("m16n8k16.row.col.f16.f16.f16.f16", "{%0,%1}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1}");
  INTEGERS("m16n8k8.row.col.f16.f16.f16.f16", "{%0,%1}, {%4,%4}, {%4}, {%0,%1}");
  INTEGERS("m16n8k32.row.col.s32.s8.s8.s32", WHOLE);
  INTEGERS("m16n8k16.row.col.s32.s8.s8.s32", HALF);
  INTEGERS("m8n8k16.row.col.s32.s8.s8.s32", "{%0,%1}, {%4}, {%4}, {%0,%1}");
  DOUBLES("m8n8k4.row.col.f64.f64.f64.f64", "{%0,%1}, {%4}, {%4}, {%0,%1}");
  DOUBLES("m16n8k4.row.col.f64.f64.f64.f64", HALF);
  DOUBLES("m16n8k8.row.col.f64.f64.f64.f64", WHOLE);
  DOUBLES("m16n8k16.row.col.f64.f64.f64.f64",
          "{%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, {%4,%4,%4,%4}, {%0,%1,%2,%3}");
}
