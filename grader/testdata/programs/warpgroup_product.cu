// A matrix product by wgmma, as programs write it: tiles of 64 x 64 in two stages that cp.async fills, A by rows and B by rows
// (so that its k lies apart), both in swizzled lines of 128 bytes; then with A in registers, and one of fp8.
//# flags -std=c++17 -lineinfo -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90a,code=[compute_90a,sm_90a]
//# stdout 0 0 0
//# launch product grid=2x2 block=128 ptx.flops=4194304
//# launch from_registers grid=1 block=128
//# launch of_bytes grid=1 block=128
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr std::uint64_t kSwizzle128 = 1ull << 62, kSwizzle64 = 2ull << 62;

__device__ std::uint64_t matrix(const void* first, std::uint32_t leading, std::uint32_t stride, std::uint64_t swizzle) {
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(first));
  return (at & 0x3ffff) >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 | swizzle;
}

#define TEN(i) "%" #i "0, %" #i "1, %" #i "2, %" #i "3, %" #i "4, %" #i "5, %" #i "6, %" #i "7, %" #i "8, %" #i "9, "
#define ALL "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN(1) TEN(2) "%30, %31}"
#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SUMS FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)

__device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, int keeps) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " ALL ", %32, %33, p, 1, 1, 0, 1; }"
               : SUMS
               : "l"(a), "l"(b), "r"(keeps));
}
__device__ void multiply(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b, int keeps) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " ALL ", {%32, %33, %34, %35}, %36, p, 1, 1, 1; }"
               : SUMS
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keeps));
}
__device__ void multiply_bytes(float (&d)[32], std::uint64_t a, std::uint64_t b, int keeps) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 " ALL ", %32, %33, p, 1, 1; }"
               : SUMS
               : "l"(a), "l"(b), "r"(keeps));
}
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait(float (&d)[32]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (float& sum : d) asm volatile("" : "+f"(sum)::"memory");
}
__device__ void fence_proxies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// 64 rows of 128 bytes, swizzled.
__device__ void copy_async(char* tile, const char* from, std::size_t pitch) {
  for (int i = threadIdx.x; i < 64 * 8; i += 128) {
    const int row = i / 8, piece = i % 8;
    const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile + row * 128 + (piece ^ row % 8) * 16));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from + row * pitch + piece * 16) : "memory");
  }
}
__device__ void store(float* c, int columns, const float (&d)[32]) {
  for (int i = 0; i < 32; ++i)
    c[(threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8) * columns + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
}
#endif

using Half = __nv_bfloat16;

__global__ void product(const Half* a, const Half* b, float* c, int columns, int depth) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) char room[];
  const int row = blockIdx.y * 64, column = blockIdx.x * 64, steps = depth / 64;
  const auto fetch = [&](int step) {
    char* to = room + step % 2 * 16384;
    copy_async(to, reinterpret_cast<const char*>(a + row * depth + step * 64), depth * sizeof(Half));
    copy_async(to + 8192, reinterpret_cast<const char*>(b + step * 64 * columns + column), columns * sizeof(Half));
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float d[32];
  fetch(0);
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_all;" ::: "memory");
    fence_proxies();
    __syncthreads();
    if (step + 1 < steps) fetch(step + 1);
    const char* tile = room + step % 2 * 16384;
    begin();
    for (int k = 0; k < 4; ++k)
      multiply(d, matrix(tile + k * 32, 16, 1024, kSwizzle128), matrix(tile + 8192 + k * 2048, 8192, 1024, kSwizzle128),
               step + k);
    commit();
    wait(d);
    __syncthreads();
  }
  store(c + row * columns + column, columns, d);
#endif
}

__global__ void from_registers(const Half* a, const Half* b, float* c, int columns, int depth) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  __shared__ alignas(1024) char tile[8192];
  copy_async(tile, reinterpret_cast<const char*>(b), columns * sizeof(Half));
  asm volatile("cp.async.wait_all;" ::: "memory");
  fence_proxies();
  __syncthreads();
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, at = threadIdx.x % 4 * 2;
  std::uint32_t rows[4][4];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i)
      rows[k][i] = *reinterpret_cast<const std::uint32_t*>(a + (row + i % 2 * 8) * depth + k * 16 + i / 2 * 8 + at);
  float d[32];
  begin();
  for (int k = 0; k < 4; ++k) multiply(d, rows[k], matrix(tile + k * 2048, 8192, 1024, kSwizzle128), k);
  commit();
  wait(d);
  store(c, columns, d);
#endif
}

/// 64 x 64 x 64; both with k along lines of 64 bytes, swizzled.
__global__ void of_bytes(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, float* c) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  __shared__ alignas(512) char tile[8192];
  for (int i = threadIdx.x; i < 64 * 8; i += 128) {
    const int line = i / 4 % 64, piece = i % 4;
    const char* from = reinterpret_cast<const char*>(i < 256 ? a : b) + line * 64 + piece * 16;
    *reinterpret_cast<uint4*>(tile + i / 256 * 4096 + line * 64 + (piece ^ line / 2 % 4) * 16) =
        *reinterpret_cast<const uint4*>(from);
  }
  fence_proxies();
  __syncthreads();
  float d[32];
  begin();
  for (int k = 0; k < 2; ++k)
    multiply_bytes(d, matrix(tile + k * 32, 16, 512, kSwizzle64), matrix(tile + 4096 + k * 32, 16, 512, kSwizzle64), k);
  commit();
  wait(d);
  store(c, 64, d);
#endif
}

constexpr int kRows = 128, kColumns = 128, kDepth = 128;

/// Small whole numbers: every order of summation gives the same.
template <class T>
std::vector<T> numbers(int count, int seed) {
  std::vector<T> list;
  for (int i = 0; i < count; ++i) list.push_back(T(static_cast<float>((i * 7 + i / 13 + seed) % 9 - 4)));
  return list;
}
template <class T>
T* on_device(const std::vector<T>& list) {
  T* memory;
  cudaMalloc(&memory, list.size() * sizeof(T));
  cudaMemcpy(memory, list.data(), list.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}
/// Elements that are wrong, of `rows` x `columns`.
template <class B>
int wrong(const float* device, int rows, int columns, int pitch, int depth, const B& factors) {
  std::vector<float> c(kRows * kColumns);
  cudaMemcpy(c.data(), device, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int count = 0;
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < columns; ++n) {
      float sum = 0;
      for (int k = 0; k < depth; ++k) sum += factors(r, n, k);
      count += c[r * pitch + n] != sum;
    }
  return count;
}

int main() {
  const auto a = numbers<Half>(kRows * kDepth, 1), b = numbers<Half>(kDepth * kColumns, 5);
  const auto p = numbers<__nv_fp8_e4m3>(4096, 2), q = numbers<__nv_fp8_e4m3>(4096, 3);
  const Half *da = on_device(a), *db = on_device(b);
  const auto *dp = on_device(p), *dq = on_device(q);
  float* c = on_device(std::vector<float>(kRows * kColumns));
  const auto halves = [&](int r, int n, int k) { return float(a[r * kDepth + k]) * float(b[k * kColumns + n]); };
  product<<<dim3(2, 2), 128, 32768>>>(da, db, c, kColumns, kDepth);
  const int first = wrong(c, kRows, kColumns, kColumns, kDepth, halves);
  from_registers<<<1, 128>>>(da, db, c, kColumns, kDepth);
  const int second = wrong(c, 64, 64, kColumns, 64, halves);
  of_bytes<<<1, 128>>>(dp, dq, c);
  const int third = wrong(c, 64, 64, 64, 64, [&](int r, int n, int k) { return float(p[r * 64 + k]) * float(q[n * 64 + k]); });
  std::printf("%d %d %d\n", first, second, third);
}
