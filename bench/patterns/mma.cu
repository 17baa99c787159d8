// What an H200 makes of mma and wmma of floating-point numbers: random sums of each kind with what they were
// made of, so many of each matrix, one where no number is given. record.sh makes a table of it.
//   nvcc -std=c++20 -O2 -arch=native -o mma mma.cu && ./mma

#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tensor_numbers.h"

namespace {

constexpr int kRows = 16, kCases = 24;

/// 16 rows of A, n columns of B, each of so many bytes; 16 x n of C and D.
struct Kind {
  std::string name;
  Format d, c, factor;
  int n, line_bytes;
};

// ---- mma: the lanes' registers as the PTX ISA has them
// --------------------------------------------------------

#define MMA_FLOATS(name, shape, a_list, b_list, ...)                                                        \
  struct name {                                                                                             \
    __device__ void operator()(std::uint32_t (&d)[4], const std::uint32_t* a,                               \
                               const std::uint32_t* b) const {                                              \
      float f[4];                                                                                           \
      for (int i = 0; i < 4; ++i) f[i] = __uint_as_float(d[i]);                                             \
      asm volatile("mma.sync.aligned." shape " {%0, %1, %2, %3}, " a_list ", " b_list ", {%0, %1, %2, %3};" \
                   : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])                                         \
                   : __VA_ARGS__);                                                                          \
      for (int i = 0; i < 4; ++i) d[i] = __float_as_uint(f[i]);                                             \
    }                                                                                                       \
  };
#define MMA_HALVES(name, shape, a_list, b_list, ...)                                        \
  struct name {                                                                             \
    __device__ void operator()(std::uint32_t (&d)[4], const std::uint32_t* a,               \
                               const std::uint32_t* b) const {                              \
      asm volatile("mma.sync.aligned." shape " {%0, %1}, " a_list ", " b_list ", {%0, %1};" \
                   : "+r"(d[0]), "+r"(d[1])                                                 \
                   : __VA_ARGS__);                                                          \
    }                                                                                       \
  };
#define WHOLE "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define HALF "r"(a[0]), "r"(a[1]), "r"(b[0])
MMA_FLOATS(F16K16, "m16n8k16.row.col.f32.f16.f16.f32", "{%4, %5, %6, %7}", "{%8, %9}", WHOLE)
MMA_FLOATS(F16K8, "m16n8k8.row.col.f32.f16.f16.f32", "{%4, %5}", "{%6}", HALF)
MMA_FLOATS(Bf16K16, "m16n8k16.row.col.f32.bf16.bf16.f32", "{%4, %5, %6, %7}", "{%8, %9}", WHOLE)
MMA_FLOATS(Bf16K8, "m16n8k8.row.col.f32.bf16.bf16.f32", "{%4, %5}", "{%6}", HALF)
MMA_FLOATS(Tf32K8, "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4, %5, %6, %7}", "{%8, %9}", WHOLE)
MMA_FLOATS(Tf32K4, "m16n8k4.row.col.f32.tf32.tf32.f32", "{%4, %5}", "{%6}", HALF)
MMA_HALVES(HalvesK16, "m16n8k16.row.col.f16.f16.f16.f16", "{%2, %3, %4, %5}", "{%6, %7}", WHOLE)
MMA_HALVES(HalvesK8, "m16n8k8.row.col.f16.f16.f16.f16", "{%2, %3}", "{%4}", HALF)

/// A by rows, B by columns, C and D by rows: words of 32 bits.
template <class F>
struct ByRegisters {
  int line_words;
  bool halves;
  __device__ void operator()(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                             std::uint32_t* out) const {
    const int lane = threadIdx.x;
    std::uint32_t as[4] = {}, bs[2] = {}, d[4] = {};
    for (int i = 0; i < line_words / 2; ++i)
      as[i] = a[(lane / 4 + 8 * (i % 2)) * line_words + lane % 4 + 4 * (i / 2)];
    for (int i = 0; i < line_words / 4; ++i) bs[i] = b[lane / 4 * line_words + lane % 4 + 4 * i];
    const auto place = [&](int i) {
      return halves ? (lane / 4 + 8 * i) * 4 + lane % 4
                    : (lane / 4 + 8 * (i / 2)) * 8 + 2 * (lane % 4) + i % 2;
    };
    for (int i = 0; i < (halves ? 2 : 4); ++i) d[i] = c[place(i)];
    F{}(d, as, bs);
    for (int i = 0; i < (halves ? 2 : 4); ++i) out[place(i)] = d[i];
  }
};

// ---- wmma: through memory
// -----------------------------------------------------------------------------------

template <class Factor, int kDepth, class C, class D>
struct ByFragments {
  __device__ void operator()(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                             std::uint32_t* out) const {
    using namespace nvcuda::wmma;
    using Stored = std::conditional_t<std::is_same_v<Factor, precision::tf32>, float, Factor>;
    fragment<matrix_a, 16, 16, kDepth, Factor, row_major> as;
    fragment<matrix_b, 16, 16, kDepth, Factor, col_major> bs;
    fragment<accumulator, 16, 16, kDepth, C> cs;
    fragment<accumulator, 16, 16, kDepth, D> ds;
    load_matrix_sync(as, reinterpret_cast<const Stored*>(a), kDepth);
    load_matrix_sync(bs, reinterpret_cast<const Stored*>(b), kDepth);
    load_matrix_sync(cs, reinterpret_cast<const C*>(c), 16, mem_row_major);
    mma_sync(ds, as, bs, cs);
    store_matrix_sync(reinterpret_cast<D*>(out), ds, 16, mem_row_major);
  }
};

constexpr int kA = kRows * 8, kB = 16 * 8, kC = kRows * 16, kWords = kA + kB + kC;  // words, at most

template <class F>
__global__ void multiply(const std::uint32_t* in, std::uint32_t* out, F f) {
  in += blockIdx.x * kWords;
  f(in, in + kA, in + kA + kB, out + blockIdx.x * kC);
}

template <class F>
void print_sums(const Kind& kind, F f, unsigned seed, int each) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> in(kCases * kWords), out(kCases * kC);
  for (int at = 0; at < kCases * kWords; ++at) {
    const int within = at % kWords, style = at / kWords % 6;
    const Format& format = within < kA + kB ? kind.factor : kind.c;
    for (int bit = 0; bit < 32; bit += format.bits)
      in[at] |= element(random, format, style, within >= kA + kB) << bit;
  }
  std::uint32_t *to, *from;
  check(cudaMalloc(&to, 4 * out.size()), "cudaMalloc");
  check(cudaMalloc(&from, 4 * in.size()), "cudaMalloc");
  check(cudaMemcpy(from, in.data(), 4 * in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  multiply<<<kCases, 32>>>(from, to, f);
  check(cudaMemcpy(out.data(), to, 4 * out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaFree(to), "cudaFree");
  check(cudaFree(from), "cudaFree");
  const auto line = [&](const std::uint32_t* matrix, int index) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(matrix) + index * kind.line_bytes;
    std::string text;
    for (int i = 0; i < kind.line_bytes; ++i) {
      char hex[3];
      std::snprintf(hex, sizeof hex, "%02x", bytes[i]);
      text += hex;
    }
    return text;
  };
  for (int c = 0; c < kCases; ++c)
    for (int again = 0; again < each; ++again) {
      const int at = each == 1 ? static_cast<int>(random() % (kRows * kind.n)) : again % (kRows * kind.n);
      const auto value = [&](const std::uint32_t* matrix, const Format& format) {
        return format.bits == 32 ? matrix[at] : matrix[at / 2] >> 16 * (at % 2) & 0xffff;
      };
      const std::uint32_t* mine = &in[c * kWords];
      std::printf("%s,%s,%s,%s,%x,%x,%s,%s\n", kind.name.c_str(), kind.d.name.c_str(), kind.c.name.c_str(),
                  kind.factor.name.c_str(), value(mine + kA + kB, kind.c), value(&out[c * kC], kind.d),
                  line(mine, at / kind.n).c_str(), line(mine + kA, at % kind.n).c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace nvcuda::wmma;
  const int each = argc > 1 ? std::atoi(argv[1]) : 1;
  print_sums({"m16n8k16", kF32, kF32, kF16, 8, 32}, ByRegisters<F16K16>{8, false}, 1, each);
  print_sums({"m16n8k8", kF32, kF32, kF16, 8, 16}, ByRegisters<F16K8>{4, false}, 2, each);
  print_sums({"m16n8k16", kF32, kF32, kBf16, 8, 32}, ByRegisters<Bf16K16>{8, false}, 3, each);
  print_sums({"m16n8k8", kF32, kF32, kBf16, 8, 16}, ByRegisters<Bf16K8>{4, false}, 4, each);
  print_sums({"m16n8k8", kF32, kF32, kTf32, 8, 32}, ByRegisters<Tf32K8>{8, false}, 5, each);
  print_sums({"m16n8k4", kF32, kF32, kTf32, 8, 16}, ByRegisters<Tf32K4>{4, false}, 6, each);
  print_sums({"m16n8k16", kF16, kF16, kF16, 8, 32}, ByRegisters<HalvesK16>{8, true}, 7, each);
  print_sums({"m16n8k8", kF16, kF16, kF16, 8, 16}, ByRegisters<HalvesK8>{4, true}, 8, each);
  print_sums({"wmma", kF32, kF32, kF16, 16, 32}, ByFragments<__half, 16, float, float>{}, 9, each);
  print_sums({"wmma", kF16, kF16, kF16, 16, 32}, ByFragments<__half, 16, __half, __half>{}, 10, each);
  print_sums({"wmma", kF16, kF32, kF16, 16, 32}, ByFragments<__half, 16, float, __half>{}, 11, each);
  print_sums({"wmma", kF32, kF16, kF16, 16, 32}, ByFragments<__half, 16, __half, float>{}, 12, each);
  print_sums({"wmma", kF32, kF32, kBf16, 16, 32}, ByFragments<__nv_bfloat16, 16, float, float>{}, 13, each);
  print_sums({"wmma", kF32, kF32, kTf32, 16, 32}, ByFragments<precision::tf32, 8, float, float>{}, 14, each);
  return 0;
}
