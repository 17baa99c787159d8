// Cycles of an SM for each warp instruction of a kind, where all its warps do nothing else: what the units
// for fp64, integers and conversions take. A block of 1024 threads on every SM, with chains of eight values a
// thread, so that no warp waits; behind it the cycles of one warp alone that needs each result for the next.
// The fastest of five runs.
//   nvcc -std=c++20 -O2 --extended-lambda -arch=native -o units units.cu && ./units

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kThreads = 1024, kRounds = 64, kUnrolled = 8;

template <int kChains, class T, class Op>
__global__ void __launch_bounds__(kThreads) repeat(long long* cycles, T y, Op op) {
  T v[kChains];
  for (int i = 0; i < kChains; ++i) v[i] = static_cast<T>(threadIdx.x + 3 + i);
  __syncthreads();
  const long long begin = clock64();
  for (int r = 0; r < kRounds; ++r)
#pragma unroll
    for (int i = 0; i < kUnrolled; ++i) op(v[i % kChains], y);
  __syncthreads();
  const long long end = clock64();
  bool all = true;
  for (int i = 0; i < kChains; ++i) all = all && v[i] == static_cast<T>(123457);
  if (threadIdx.x == 0 || all) *cycles = end - begin;  // so that all are needed
}

template <int kChains, class T, class Op>
double cycles_of(int blocks, int threads, T y, Op op) {
  static long long* cycles = [] {
    long long* place;
    cudaMalloc(&place, sizeof *place);
    return place;
  }();
  long long best = 1ll << 60;
  for (int i = 0; i < 5; ++i) {
    repeat<kChains><<<blocks, threads>>>(cycles, y, op);
    long long now = 0;
    cudaMemcpy(&now, cycles, sizeof now, cudaMemcpyDeviceToHost);
    best = std::min(best, now);
  }
  return static_cast<double>(best) / (kRounds * kUnrolled);
}

template <class T, class Op>
void measure(const char* name, T y, Op op) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  std::printf("%-24s %6.2f %7.1f\n", name, cycles_of<kUnrolled>(sms, kThreads, y, op) / (kThreads / 32),
              cycles_of<1>(1, 32, y, op));
}

}  // namespace

// `op` is one PTX instruction, or two where a kind only comes in pairs.
#define UNARY(name, T, c, y, text) \
  measure<T>(name, y, [] __device__(T & v, T) { asm volatile(text : "+" c(v)); })
#define BINARY(name, T, c, y, text) \
  measure<T>(name, y, [] __device__(T & v, T w) { asm volatile(text : "+" c(v) : c(w)); })

int main() {
  using u32 = std::uint32_t;
  using i32 = std::int32_t;
  using u64 = unsigned long long;
  BINARY("fma.f32", float, "f", 1.5f, "fma.rn.f32 %0, %0, %1, %1;");
  BINARY("add.f32", float, "f", 1.5f, "add.f32 %0, %0, %1;");
  BINARY("min.f32", float, "f", 1.5f, "min.f32 %0, %0, %1;");
  BINARY("add.f64", double, "d", 1.5, "add.f64 %0, %0, %1;");
  BINARY("mul.f64", double, "d", 1.5, "mul.f64 %0, %0, %1;");
  BINARY("fma.f64", double, "d", 1.5, "fma.rn.f64 %0, %0, %1, %1;");
  BINARY("max.f64", double, "d", 1.5, "max.f64 %0, %0, %1;");
  BINARY("setp+selp f64", double, "d", 1.5, "{.reg .pred p; setp.lt.f64 p, %0, %1; selp.f64 %0, %1, %0, p;}");
  BINARY("div.f64", double, "d", 1.5, "div.rn.f64 %0, %0, %1;");
  BINARY("div.rn.f32", float, "f", 1.01f, "div.rn.f32 %0, %0, %1;");
  UNARY("rcp.rn.f32", float, "f", 7.0f, "rcp.rn.f32 %0, %0;");
  UNARY("sqrt.rn.f32", float, "f", 7.0f, "sqrt.rn.f32 %0, %0;");
  UNARY("rcp.f64", double, "d", 1.5, "rcp.rn.f64 %0, %0;");
  UNARY("sqrt.f64", double, "d", 1.5, "sqrt.rn.f64 %0, %0;");
  UNARY("cvt f64 f32 and back", double, "d", 1.5, "{.reg .f32 f; cvt.rn.f32.f64 f, %0; cvt.f64.f32 %0, f;}");
  UNARY("cvt f64 s32 and back", double, "d", 1.5,
        "{.reg .s32 f; cvt.rzi.s32.f64 f, %0; cvt.rn.f64.s32 %0, f;}");
  UNARY("cvt f32 s32 and back", float, "f", 1.5f,
        "{.reg .s32 f; cvt.rzi.s32.f32 f, %0; cvt.rn.f32.s32 %0, f;}");
  UNARY("cvt f32 f16 and back", float, "f", 1.5f, "{.reg .b16 f; cvt.rn.f16.f32 f, %0; cvt.f32.f16 %0, f;}");
  BINARY("add.u32", u32, "r", 77u, "add.u32 %0, %0, %1;");
  BINARY("add+xor u32", u32, "r", 77u, "{add.u32 %0, %0, %1; xor.b32 %0, %0, %1;}");
  BINARY("xor+shl b32", u32, "r", 77u, "{.reg .b32 t; shl.b32 t, %0, 5; xor.b32 %0, t, %1;}");
  BINARY("shr by a register", u32, "r", 7u, "shr.u32 %0, %0, %1;");
  BINARY("min.s32", u32, "r", 77u, "min.s32 %0, %0, %1;");
  BINARY("setp+selp u32", u32, "r", 77u, "{.reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %1, %0, p;}");
  UNARY("popc", u32, "r", 77u, "popc.b32 %0, %0;");
  UNARY("clz", u32, "r", 77u, "clz.b32 %0, %0;");
  UNARY("brev", u32, "r", 77u, "brev.b32 %0, %0;");
  BINARY("prmt", u32, "r", 77u, "prmt.b32 %0, %0, %1, 0x3614;");
  BINARY("mul.lo.u32", u32, "r", 77u, "mul.lo.u32 %0, %0, %1;");
  BINARY("mad.lo.u32", u32, "r", 77u, "mad.lo.u32 %0, %0, %1, %1;");
  BINARY("mul.hi.u32", u32, "r", 77u, "mul.hi.u32 %0, %0, %1;");
  BINARY("mul.wide.u32", u64, "l", 77u, "{.reg .b32 a; cvt.u32.u64 a, %0; mul.wide.u32 %0, a, a;}");
  BINARY("add.u64", u64, "l", 77u, "add.u64 %0, %0, %1;");
  BINARY("xor.b64", u64, "l", 77u, "xor.b64 %0, %0, %1;");
  BINARY("shl.b64", u64, "l", 7u, "shl.b64 %0, %0, 7;");
  BINARY("mul.lo.u64", u64, "l", 77u, "mul.lo.u64 %0, %0, %1;");
  BINARY("mul.hi.u64", u64, "l", 77u, "mul.hi.u64 %0, %0, %1;");
  // By the same number each time, whose reciprocal is worked out once; and by another.
  BINARY("div.u32", u32, "r", 7u, "div.u32 %0, %0, %1;");
  BINARY("rem.u32", u32, "r", 7u, "rem.u32 %0, %0, %1;");
  BINARY("div.s32", i32, "r", 7, "div.s32 %0, %0, %1;");
  BINARY("rem.s32", i32, "r", 7, "rem.s32 %0, %0, %1;");
  UNARY("div.u32 by another", u32, "r", 7u, "{.reg .u32 t; or.b32 t, %0, 3; div.u32 %0, 77777, t;}");
  UNARY("rem.u32 by another", u32, "r", 7u, "{.reg .u32 t; or.b32 t, %0, 3; rem.u32 %0, 77777, t;}");
  UNARY("div.s32 by another", i32, "r", 7, "{.reg .s32 t; or.b32 t, %0, 3; div.s32 %0, 77777, t;}");
  UNARY("rem.s32 by another", i32, "r", 7, "{.reg .s32 t; or.b32 t, %0, 3; rem.s32 %0, 77777, t;}");
  BINARY("div.s64", u64, "l", 7u, "div.s64 %0, %0, %1;");
  BINARY("rem.s64", u64, "l", 7u, "rem.s64 %0, %0, %1;");
  BINARY("div.u64", u64, "l", 7u, "div.u64 %0, %0, %1;");
  BINARY("rem.u64", u64, "l", 7u, "rem.u64 %0, %0, %1;");
  BINARY("fma.f16x2", u32, "r", 0x3c003c00u, "fma.rn.f16x2 %0, %0, %1, %1;");
  BINARY("dp4a", u32, "r", 77u, "dp4a.u32.u32 %0, %0, %1, %1;");
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
