// One warp, one access of shared memory or one atomic of global memory, for many address patterns: what a
// GPU's counters say of each is how the simulator counts. A line of what it launched for each, in order:
// instruction,pattern,bytes,offsets of the 32 lanes (-1: not active).

#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

constexpr int kNone = -1, kSharedBytes = 40000;

#define SHARED_KERNEL(NAME, ...)                                             \
  __global__ void NAME(const int* offset, unsigned* out, unsigned char*) {   \
    extern __shared__ __align__(128) unsigned char tile[];                   \
    const int o = offset[threadIdx.x];                                       \
    unsigned at = (unsigned)__cvta_generic_to_shared(tile) + o, v[4] = {at}; \
    if (o != kNone) asm volatile(__VA_ARGS__);                               \
    out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];                            \
  }
SHARED_KERNEL(lds8, "ld.shared.u8 %0, [%1];" : "=r"(v[0]) : "r"(at))
SHARED_KERNEL(lds32, "ld.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"(at))
SHARED_KERNEL(lds64, "ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(at))
SHARED_KERNEL(lds128, "ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
              : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
              : "r"(at))
SHARED_KERNEL(sts8, "st.shared.u8 [%0], %0;" ::"r"(at))
SHARED_KERNEL(sts32, "st.shared.u32 [%0], %0;" ::"r"(at))
SHARED_KERNEL(sts64, "st.shared.v2.u32 [%0], {%0, %0};" ::"r"(at))
SHARED_KERNEL(sts128, "st.shared.v4.u32 [%0], {%0, %0, %0, %0};" ::"r"(at))

#define ATOMIC_KERNEL(NAME, TYPE, ...)                                          \
  __global__ void NAME(const int* offset, unsigned* out, unsigned char* data) { \
    const int o = offset[threadIdx.x];                                          \
    TYPE v = 0;                                                                 \
    if (o != kNone) asm volatile(__VA_ARGS__);                                  \
    out[threadIdx.x] = (unsigned)v;                                             \
  }
ATOMIC_KERNEL(red32, unsigned, "red.global.add.u32 [%0], 1;" ::"l"(data + o))
ATOMIC_KERNEL(redf32, unsigned, "red.global.add.f32 [%0], 0f3F800000;" ::"l"(data + o))
ATOMIC_KERNEL(red64, unsigned, "red.global.add.u64 [%0], 1;" ::"l"(data + o))
ATOMIC_KERNEL(atom32, unsigned, "atom.global.add.u32 %0, [%1], 1;" : "=r"(v) : "l"(data + o))
ATOMIC_KERNEL(atom64, unsigned long long, "atom.global.add.u64 %0, [%1], 1;" : "=l"(v) : "l"(data + o))
ATOMIC_KERNEL(cas32, unsigned, "atom.global.cas.b32 %0, [%1], 1, 0;" : "=r"(v) : "l"(data + o))
ATOMIC_KERNEL(exch32, unsigned, "atom.global.exch.b32 %0, [%1], 1;" : "=r"(v) : "l"(data + o))

using Kernel = void (*)(const int*, unsigned*, unsigned char*);
struct Instruction {
  const char* name;
  int bytes;
  Kernel kernel;
  bool shared;
};
const Instruction kInstructions[] = {
    {"lds8", 1, lds8, true},      {"lds32", 4, lds32, true},    {"lds64", 8, lds64, true},
    {"lds128", 16, lds128, true}, {"sts8", 1, sts8, true},      {"sts32", 4, sts32, true},
    {"sts64", 8, sts64, true},    {"sts128", 16, sts128, true}, {"red32", 4, red32, false},
    {"redf32", 4, redf32, false}, {"red64", 8, red64, false},   {"atom32", 4, atom32, false},
    {"atom64", 8, atom64, false}, {"cas32", 4, cas32, false},   {"exch32", 4, exch32, false}};

/// Which element each lane takes; -1: none.
struct Pattern {
  std::string name;
  std::vector<int> element;
};

std::vector<Pattern> all_patterns() {
  std::vector<Pattern> patterns;
  const auto add = [&](const std::string& name, const std::function<int(int)>& element) {
    Pattern& pattern = patterns.emplace_back();
    pattern.name = name;
    for (int lane = 0; lane < 32; ++lane) pattern.element.push_back(element(lane));
  };
  add("unit", [](int l) { return l; });
  add("one address", [](int) { return 0; });
  for (int k : {2, 4, 8, 16}) add(std::to_string(k) + " lanes share", [=](int l) { return l / k; });
  for (int k : {2, 4, 8, 16}) add("every lane of " + std::to_string(k), [=](int l) { return l % k; });
  for (int k : {2, 3, 4, 5, 8, 16, 32, 33}) add("stride " + std::to_string(k), [=](int l) { return l * k; });
  add("reverse", [](int l) { return 31 - l; });
  add("neighbours swapped", [](int l) { return l ^ 1; });
  add("halves swapped", [](int l) { return l ^ 16; });
  add("4 x 8 transposed", [](int l) { return l % 8 * 4 + l / 8; });
  add("8 x 4 transposed", [](int l) { return l % 4 * 8 + l / 4; });
  add("two rows", [](int l) { return l % 16 + l / 16 * 256; });
  add("four rows", [](int l) { return l % 8 + l / 8 * 256; });
  add("four rows with padding", [](int l) { return l % 8 + l / 8 * 264; });
  add("pairs far apart", [](int l) { return l / 2 + l % 2 * 512; });
  add("low half", [](int l) { return l < 16 ? l : -1; });
  add("low quarter", [](int l) { return l < 8 ? l : -1; });
  add("even lanes", [](int l) { return l % 2 == 0 ? l : -1; });
  add("even lanes and one address", [](int l) { return l % 2 == 0 ? 0 : -1; });
  add("a lane of each eight", [](int l) { return l % 8 == 0 ? l : -1; });
  add("first and last eight", [](int l) { return l < 8 || l >= 24 ? l : -1; });
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    const int range = i < 5 ? 8 : i < 11 ? 32 : i < 16 ? 64 : 512;
    const bool some = i % 3 == 2;
    Pattern& pattern = patterns.emplace_back();
    pattern.name = (some ? "some of " : "random of ") + std::to_string(range) + " #" + std::to_string(i);
    for (int lane = 0; lane < 32; ++lane) {
      const int element = static_cast<int>(random() % range);
      pattern.element.push_back(some && random() % 2 ? -1 : element);
    }
  }
  return patterns;
}

int main() {
  int* offset;
  unsigned* out;
  unsigned char* data;
  cudaMalloc(&offset, 128);
  cudaMalloc(&out, 128);
  cudaMalloc(&data, 1 << 20);
  cudaMemset(data, 0, 1 << 20);
  for (const Pattern& pattern : all_patterns())
    for (const Instruction& instruction : kInstructions) {
      int bytes[32];
      std::printf("%s,%s,%d,", instruction.name, pattern.name.c_str(), instruction.bytes);
      for (int lane = 0; lane < 32; ++lane) {
        const int element = pattern.element[lane];
        bytes[lane] = element < 0 ? kNone : element * instruction.bytes;
        std::printf(lane == 0 ? "%d" : " %d", bytes[lane]);
      }
      std::printf("\n");
      cudaMemcpy(offset, bytes, sizeof bytes, cudaMemcpyHostToDevice);
      cudaFuncSetAttribute(reinterpret_cast<const void*>(instruction.kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                           instruction.shared ? kSharedBytes : 0);
      instruction.kernel<<<1, 32, instruction.shared ? kSharedBytes : 0>>>(offset, out, data);
    }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "patterns: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
