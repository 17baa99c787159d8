// What an H200 makes of wgmma. `wgmma sums` prints random sums of each kind with what they were made of;
// `wgmma descriptors` at which addresses it finds elements, for random matrix descriptors; `wgmma wavefronts`
// launches one wgmma each, of several shapes and layouts, for a profiler to count, and prints what they are.
// record.sh makes tables of it.
//   nvcc -std=c++20 -O2 -gencode arch=compute_90a,code=sm_90a -o wgmma wgmma.cu && ./wgmma sums

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tensor_numbers.h"

namespace {

/// As the PTX ISA has it; strides in bytes.
struct Descriptor {
  std::uint32_t start = 0, leading = 128, stride = 256, base = 0, swizzle = 0;
  __host__ __device__ std::uint64_t bits() const {
    return start >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 |
           std::uint64_t{base} << 49 | std::uint64_t{swizzle} << 62;
  }
};

__device__ void fence() {
  asm volatile("fence.proxy.async; bar.sync 0; wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void wait() {
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
extern __shared__ __align__(1024) std::uint32_t room[];

// ---- Sums: 64 x 8, A and B in shared memory without swizzle
// ------------------------------------------------

constexpr int kCases = 24, kA = 512, kB = 64, kC = 512, kWords = kA + kB + kC;

template <class F>
__global__ void sums(const std::uint32_t* in, std::uint32_t* out, F multiply) {
  in += blockIdx.x * kWords, out += blockIdx.x * kC;
  for (int i = threadIdx.x; i < kA + kB; i += 128) room[i] = in[i];
  std::uint32_t d[4];
  for (int i = 0; i < 4; ++i) d[i] = in[kA + kB + 4 * threadIdx.x + i];
  fence();
  Descriptor a, b;
  a.start = static_cast<std::uint32_t>(__cvta_generic_to_shared(room));
  b.start = a.start + 4 * kA;
  multiply(d, a.bits(), b.bits());
  wait();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}

#define FLOATS(name, shape, ...)                                                                          \
  struct name {                                                                                           \
    __device__ void operator()(std::uint32_t (&d)[4], std::uint64_t a, std::uint64_t b) const {           \
      float f[4];                                                                                         \
      for (int i = 0; i < 4; ++i) f[i] = __uint_as_float(d[i]);                                           \
      asm volatile("wgmma.mma_async.sync.aligned." shape " {%0, %1, %2, %3}, %4, %5, 1, 1, 1" __VA_ARGS__ \
                   ";"                                                                                    \
                   : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])                                       \
                   : "l"(a), "l"(b));                                                                     \
      wait();                                                                                             \
      for (int i = 0; i < 4; ++i) d[i] = __float_as_uint(f[i]);                                           \
    }                                                                                                     \
  };
#define HALVES(name, shape, ...)                                                                      \
  struct name {                                                                                       \
    __device__ void operator()(std::uint32_t (&d)[4], std::uint64_t a, std::uint64_t b) const {       \
      asm volatile("wgmma.mma_async.sync.aligned." shape " {%0, %1}, %2, %3, 1, 1, 1" __VA_ARGS__ ";" \
                   : "+r"(d[0]), "+r"(d[1])                                                           \
                   : "l"(a), "l"(b));                                                                 \
      wait();                                                                                         \
    }                                                                                                 \
  };
FLOATS(F32F16, "m64n8k16.f32.f16.f16", ", 0, 0")
FLOATS(F32Bf16, "m64n8k16.f32.bf16.bf16", ", 0, 0")
FLOATS(F32Tf32, "m64n8k8.f32.tf32.tf32")
FLOATS(F32E4m3, "m64n8k32.f32.e4m3.e4m3")
FLOATS(F32E5m2, "m64n8k32.f32.e5m2.e5m2")
FLOATS(F32Mixed, "m64n8k32.f32.e4m3.e5m2")
HALVES(F16F16, "m64n8k16.f16.f16.f16", ", 0, 0")
HALVES(F16E4m3, "m64n8k32.f16.e4m3.e4m3")
HALVES(F16Mixed, "m64n8k32.f16.e5m2.e4m3")

template <class F>
void print_sums(const Format& sum, const Format& a, const Format& b, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> in(kCases * kWords), out(kCases * kC);
  for (int at = 0; at < kCases * kWords; ++at) {
    const int within = at % kWords, style = at / kWords % 6;
    const Format& f = within < kA ? a : within < kA + kB ? b : sum;
    for (int bit = 0; bit < 32; bit += f.bits) in[at] |= element(random, f, style, within >= kA + kB) << bit;
  }
  std::uint32_t *to, *from;
  check(cudaMalloc(&to, 4 * out.size()), "cudaMalloc");
  check(cudaMalloc(&from, 4 * in.size()), "cudaMalloc");
  check(cudaMemcpy(from, in.data(), 4 * in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  sums<<<kCases, 128, 4 * (kA + kB)>>>(from, to, F{});
  check(cudaMemcpy(out.data(), to, 4 * out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaFree(to), "cudaFree");
  check(cudaFree(from), "cudaFree");
  const auto line = [](const std::uint32_t* matrix, int index) {
    std::string text;
    const auto* bytes = reinterpret_cast<const unsigned char*>(matrix) + index / 8 * 256 + index % 8 * 16;
    for (int i = 0; i < 32; ++i) {
      char hex[3];
      std::snprintf(hex, sizeof hex, "%02x", bytes[i / 16 * 128 + i % 16]);
      text += hex;
    }
    return text;
  };
  for (int c = 0; c < kCases; ++c)
    for (int again = 0; again < 2; ++again) {
      const int t = random() % 128, i = random() % 4, at = 4 * t + (sum.bits == 16 ? i / 2 : i);
      const int row = t / 32 * 16 + t % 32 / 4 + 8 * (i / 2), column = 2 * (t % 4) + i % 2;
      const auto value = [&](std::uint32_t word) {
        return sum.bits == 32 ? word : word >> 16 * (i % 2) & 0xffff;
      };
      const std::uint32_t* mine = &in[c * kWords];
      std::printf("%s,%s,%s,%x,%x,%s,%s\n", sum.name.c_str(), a.name.c_str(), b.name.c_str(),
                  value(mine[kA + kB + at]), value(out[c * kC + at]), line(mine, row).c_str(),
                  line(mine + kA, column).c_str());
    }
}

// ---- Descriptors, of B: 16 x 128 of f16, with A one row for each k
// -----------------------------------------

constexpr int kRoom = 200 * 1024, kLines = 128;

#define D4(i) \
  "%" #i "0, %" #i "1, %" #i "2, %" #i "3, %" #i "4, %" #i "5, %" #i "6, %" #i "7, %" #i "8, %" #i "9, "
#define F2(i) "+f"(d[i]), "+f"(d[i + 1])
#define F8(i) F2(i), F2(i + 2), F2(i + 4), F2(i + 6)
template <int kApart>
__device__ void one_hot(float (&d)[64], const std::uint32_t (&a)[4], std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " D4(1)
          D4(2) D4(3) D4(4) D4(5) "%60, %61, %62, %63}, {%64, %65, %66, %67}, %68, 0, 1, 1, %69;"
      : F8(0), F8(8), F8(16), F8(24), F8(32), F8(40), F8(48), F8(56)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(kApart));
}

/// Halves that say where they lie: `high`, the upper bits of it.
__device__ void fill(bool high) {
  const std::uint32_t first = static_cast<std::uint32_t>(__cvta_generic_to_shared(room));
  for (std::uint32_t i = threadIdx.x; i < kRoom / 2; i += 128) {
    const std::uint32_t place = first / 2 + i, code = high ? place >> 10 : place & 1023;
    std::uint16_t bits;
    asm("cvt.rn.f16.u32 %0, %1;" : "=h"(bits) : "r"(code));
    reinterpret_cast<std::uint16_t*>(room)[i] = bits;
  }
  __syncthreads();
}

template <int kApart>
__global__ void places(const Descriptor* descriptors, std::uint32_t* out) {
  const int lane = threadIdx.x % 32;
  std::uint32_t a[4] = {};
  for (int i = 0; i < 4 && threadIdx.x < 32; ++i)
    for (int e = 0; e < 2; ++e)
      if (lane / 4 + 8 * (i % 2) == 2 * (lane % 4) + e + 8 * (i / 2)) a[i] |= 0x3c00u << 16 * e;
  std::uint32_t place[64] = {};
  for (int high = 0; high < 2; ++high) {
    fill(high == 1);
    float d[64] = {};
    fence();
    one_hot<kApart>(d, a, descriptors[blockIdx.x].bits());
    wait();
    for (int i = 0; i < 64; ++i) place[i] += static_cast<std::uint32_t>(d[i]) << 10 * high;
    __syncthreads();
  }
  for (int i = 0; i < 64 && threadIdx.x < 32; ++i) {
    const int k = lane / 4 + 8 * (i / 2 % 2), line = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
    out[(blockIdx.x * kLines + line) * 16 + k] = 2 * place[i];
  }
}

template <int kApart>
void print_descriptors() {
  std::mt19937 random(11 + kApart);
  std::vector<Descriptor> list;
  // Anything; aligned as PTX wants it; with a base offset; with one that says where an aligned pattern
  // begins.
  for (std::uint32_t swizzle = 0; swizzle < 4; ++swizzle)
    for (int kind = 0; kind < 4; ++kind)
      for (int again = 0; again < 12; ++again) {
        Descriptor d;
        const auto bytes = [&](std::uint32_t most) {
          const std::uint32_t value = 16 * (random() % most);
          return kind % 2 == 0 ? value : value / 1024 * 1024;
        };
        d.start = 1024 + bytes(1500), d.leading = bytes(400), d.stride = bytes(400);
        if (kind >= 2) d.base = random() % 8;
        if (kind == 3) d.start += 128 * d.base;
        d.swizzle = swizzle;
        list.push_back(d);
      }
  Descriptor* from;
  std::uint32_t* to;
  std::vector<std::uint32_t> out(list.size() * kLines * 16);
  check(cudaMalloc(&from, list.size() * sizeof(Descriptor)), "cudaMalloc");
  check(cudaMalloc(&to, 4 * out.size()), "cudaMalloc");
  check(cudaMemcpy(from, list.data(), list.size() * sizeof(Descriptor), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  check(cudaFuncSetAttribute(places<kApart>, cudaFuncAttributeMaxDynamicSharedMemorySize, kRoom),
        "attribute");
  places<kApart><<<static_cast<unsigned>(list.size()), 128, kRoom>>>(from, to);
  check(cudaMemcpy(out.data(), to, 4 * out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (std::size_t i = 0; i < list.size(); ++i)
    for (int again = 0; again < 4; ++again) {
      const Descriptor& d = list[i];
      const int line = random() % kLines, k = random() % 16;
      std::printf("%u,%u,%u,%u,%u,%d,%d,%d,%u\n", d.start, d.leading, d.stride, d.base, d.swizzle, kApart,
                  line, k, out[(i * kLines + line) * 16 + k]);
    }
}

// ---- Wavefronts: what it reads from shared memory
// ----------------------------------------------------------

template <int kApart>
__global__ void read_b(Descriptor b, float* out) {
  for (int i = threadIdx.x; i < kRoom / 4; i += 128) room[i] = 0;
  float d[64] = {};
  const std::uint32_t a[4] = {};
  fence();
  one_hot<kApart>(d, a, b.bits());
  wait();
  for (int i = 0; i < 64; ++i) out[threadIdx.x] += d[i];
}
__global__ void read_both(Descriptor a, Descriptor b, float* out) {
  for (int i = threadIdx.x; i < kRoom / 4; i += 128) room[i] = 0;
  float d[4] = {};
  fence();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a.bits()), "l"(b.bits()));
  wait();
  for (int i = 0; i < 4; ++i) out[threadIdx.x] += d[i];
}

void launch_each() {
  float* out;
  check(cudaMalloc(&out, 512), "cudaMalloc");
  check(cudaMemset(out, 0, 512), "cudaMemset");
  for (const void* kernel :
       {reinterpret_cast<const void*>(read_b<0>), reinterpret_cast<const void*>(read_b<1>),
        reinterpret_cast<const void*>(read_both)})
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kRoom), "attribute");
  std::mt19937 random(3);
  for (std::uint32_t swizzle = 0; swizzle < 4; ++swizzle)
    for (const bool tidy : {true, false}) {
      Descriptor a, b;
      b.swizzle = swizzle;
      b.start = a.start = 1024;
      b.stride = swizzle == 0 ? 256 : 1024 >> (swizzle - 1);
      b.leading = swizzle == 0 ? 128 : 2048;
      if (!tidy) {
        b.start += 16 * (random() % 1000);
        b.leading = 16 * (random() % 300), b.stride = 16 * (random() % 300);
      }
      const auto say = [&](const char* what, int apart) {
        std::printf("%s,%u,%u,%u,%u,%d\n", what, b.start, b.leading, b.stride, b.swizzle, apart);
      };
      say("m64n128 registers", 0);
      read_b<0><<<1, 128, kRoom>>>(b, out);
      say("m64n128 registers", 1);
      read_b<1><<<1, 128, kRoom>>>(b, out);
      a = b;
      say("m64n8 shared", 0);
      read_both<<<1, 128, kRoom>>>(a, b, out);
    }
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "sums") {
    print_sums<F32F16>(kF32, kF16, kF16, 1);
    print_sums<F32Bf16>(kF32, kBf16, kBf16, 2);
    print_sums<F32Tf32>(kF32, kTf32, kTf32, 3);
    print_sums<F32E4m3>(kF32, kE4m3, kE4m3, 4);
    print_sums<F32E5m2>(kF32, kE5m2, kE5m2, 5);
    print_sums<F32Mixed>(kF32, kE4m3, kE5m2, 6);
    print_sums<F16F16>(kF16, kF16, kF16, 7);
    print_sums<F16E4m3>(kF16, kE4m3, kE4m3, 8);
    print_sums<F16Mixed>(kF16, kE5m2, kE4m3, 9);
  } else if (mode == "descriptors") {
    print_descriptors<0>();
    print_descriptors<1>();
  } else if (mode == "wavefronts") {
    launch_each();
  } else {
    std::fprintf(stderr, "wgmma: say `sums`, `descriptors` or `wavefronts`\n");
    return 2;
  }
  return 0;
}
