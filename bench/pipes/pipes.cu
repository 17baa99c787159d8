// Cycles of an SM for each warp instruction of a kind, where all its warps do nothing else: what the model
// charges for the way to shared memory and L1, and for special functions. One block of 1024 threads, the
// fastest of five runs.
//   nvcc -std=c++20 -O2 --extended-lambda -arch=native -o pipes pipes.cu && ./pipes

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kThreads = 1024, kRounds = 64, kUnrolled = 16;
constexpr int kSharedBytes = 32768;

// Volatile: else the assembler loads once, and stores the last value alone.
template <int kBytes>
__device__ float load(std::uint32_t at) {
  float a, b, c, d;
  if constexpr (kBytes == 4) asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(a) : "r"(at));
  if constexpr (kBytes == 8)
    asm volatile("ld.volatile.shared.v2.f32 {%0,%1}, [%2];" : "=f"(a), "=f"(b) : "r"(at));
  if constexpr (kBytes == 16)
    asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                 : "r"(at));
  return a;
}

template <int kBytes>
__device__ void store(std::uint32_t at, float v) {
  if constexpr (kBytes == 4) asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(at), "f"(v));
  if constexpr (kBytes == 8) asm volatile("st.volatile.shared.v2.f32 [%0], {%1,%1};" ::"r"(at), "f"(v));
  if constexpr (kBytes == 16)
    asm volatile("st.volatile.shared.v4.f32 [%0], {%1,%1,%1,%1};" ::"r"(at), "f"(v));
}

template <int kBytes>
__device__ float load_global(const char* at) {
  float a, b, c, d;
  if constexpr (kBytes == 4) asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(a) : "l"(at));
  if constexpr (kBytes == 16)
    asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(at));
  return a;
}

// Lanes go by groups of 32 / places to addresses that lie `stride` bytes apart. `op` has the address in
// shared memory, another in global memory that changes from round to round, and a value that it must change.
template <class Op>
__global__ void __launch_bounds__(kThreads)
    repeat(long long* cycles, const char* data, int places, int stride, Op op) {
  extern __shared__ __align__(16) char memory[];
  for (int i = threadIdx.x; i < kSharedBytes / 4; i += kThreads) reinterpret_cast<float*>(memory)[i] = 0;
  const int offset = threadIdx.x % 32 / (32 / places) * stride;
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + offset;
  float v[kUnrolled];
  for (int i = 0; i < kUnrolled; ++i) v[i] = threadIdx.x + i;
  __syncthreads();
  const long long begin = clock64();
  for (int r = 0; r < kRounds; ++r) {
    const char* now = data + offset + r % 4 * 8192;
#pragma unroll
    for (int i = 0; i < kUnrolled; ++i) op(at, now + i * 512, v[i]);
  }
  __syncthreads();
  const long long end = clock64();
  float sum = 0;
  for (int i = 0; i < kUnrolled; ++i) sum += v[i];
  if (threadIdx.x == 0 || sum == -1.25f) *cycles = end - begin;  // so that the sum is needed
}

class Bench {
 public:
  Bench() {
    cudaMalloc(&cycles_, sizeof(long long));
    cudaMalloc(&data_, 1 << 20);
    cudaMemset(data_, 0, 1 << 20);
  }

  template <class Op>
  void measure(const char* what, int places, int stride, Op op) {
    long long best = -1;
    for (int i = 0; i < 5; ++i) {
      repeat<<<1, kThreads, kSharedBytes>>>(cycles_, data_, places, stride, op);
      long long cycles = 0;
      if (const auto error = cudaMemcpy(&cycles, cycles_, sizeof cycles, cudaMemcpyDeviceToHost)) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        return;
      }
      best = best < 0 ? cycles : std::min(best, cycles);
    }
    std::printf("%-42s %2d places, stride %3d  %6.2f\n", what, places, stride,
                static_cast<double>(best) / (kRounds * kUnrolled * (kThreads / 32)));
  }

 private:
  long long* cycles_ = nullptr;
  char* data_ = nullptr;
};

#define OP(...) [] __device__(std::uint32_t at, const char* global, float& v) { __VA_ARGS__; }

}  // namespace

int main() {
  cudaDeviceProp gpu;
  if (const auto error = cudaGetDeviceProperties(&gpu, 0)) {
    std::fprintf(stderr, "no GPU: %s\n", cudaGetErrorString(error));
    return 3;
  }
  std::printf("%s, cycles of an SM for each warp instruction\n", gpu.name);
  Bench bench;
  for (int places : {1, 16, 32}) {
    bench.measure("ld.shared 4", places, 4, OP(v += load<4>(at)));
    bench.measure("ld.shared 8", places, 8, OP(v += load<8>(at)));
    bench.measure("ld.shared 16", places, 16, OP(v += load<16>(at)));
    bench.measure("st.shared 4", places, 4, OP(store<4>(at, v)));
    bench.measure("st.shared 8", places, 8, OP(store<8>(at, v)));
    bench.measure("st.shared 16", places, 16, OP(store<16>(at, v)));
  }
  bench.measure("ld.shared 4, two words a bank", 32, 8, OP(v += load<4>(at)));
  bench.measure("ld.shared 4, eight words a bank", 32, 32, OP(v += load<4>(at)));
  bench.measure("ld.shared 8, two words a bank", 32, 16, OP(v += load<8>(at)));
  bench.measure("ld.shared 16, two words a bank", 32, 32, OP(v += load<16>(at)));
  bench.measure("shfl", 32, 4, OP(v += __shfl_xor_sync(~0u, v, 1)));
  bench.measure("shfl and ld.shared 4", 32, 4, OP(v += __shfl_xor_sync(~0u, v, 1); v += load<4>(at)));
  bench.measure("shfl and ld.shared 16", 1, 16, OP(v += __shfl_xor_sync(~0u, v, 1); v += load<16>(at)));
  bench.measure("red.shared.add", 32, 4, OP(asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at))));
  bench.measure("ld.global 4 from L1", 1, 4, OP(v += load_global<4>(global)));
  for (int stride : {4, 16, 128})
    bench.measure("ld.global 4 from L1", 32, stride, OP(v += load_global<4>(global)));
  bench.measure("ld.global 16 from L1", 1, 16, OP(v += load_global<16>(global)));
  bench.measure("ld.global 16 from L1", 32, 16, OP(v += load_global<16>(global)));
  bench.measure("ex2.approx", 32, 4, OP(asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v))));
}
