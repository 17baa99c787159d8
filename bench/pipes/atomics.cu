// Requests of atomics that a GPU takes in a nanosecond, by how many lines they meet in and how the lanes lie:
// what the model of L2's slices is held to. All SMs full of warps, each of which chooses a place by a hash.
//   nvcc -std=c++20 -O3 -arch=native -o atomics atomics.cu && ./atomics

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

enum Op {
  red_u32,
  red_f32,
  atom_u32,
  atom_f32,
  red_min,
  red_u64,
  red_f64,
  atom_exch,
  atom_cas,
  red_f16x2,
  kOps
};
const char* names[] = {"red.u32", "red.f32", "atom.u32",  "atom.f32", "red.min.s32",
                       "red.u64", "red.f64", "atom.exch", "atom.cas", "red.f16x2"};

template <int op>
__device__ void change(char* at, unsigned& sum) {
  if constexpr (op == red_u32) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at));
  if constexpr (op == red_f32) asm volatile("red.global.add.f32 [%0], 0f3F800000;" ::"l"(at));
  if constexpr (op == red_min) asm volatile("red.global.min.s32 [%0], 1;" ::"l"(at));
  if constexpr (op == red_u64) asm volatile("red.global.add.u64 [%0], %1;" ::"l"(at), "l"(1ull));
  if constexpr (op == red_f64) asm volatile("red.global.add.f64 [%0], %1;" ::"l"(at), "d"(1.0));
  if constexpr (op == red_f16x2)
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(at), "r"(0x3c003c00));
  unsigned old = 0;
  if constexpr (op == atom_u32) asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(at));
  if constexpr (op == atom_f32) {
    float f;
    asm volatile("atom.global.add.f32 %0, [%1], 0f3F800000;" : "=f"(f) : "l"(at));
    old = __float_as_uint(f);
  }
  if constexpr (op == atom_exch) asm volatile("atom.global.exch.b32 %0, [%1], 1;" : "=r"(old) : "l"(at));
  if constexpr (op == atom_cas) asm volatile("atom.global.cas.b32 %0, [%1], 1, 2;" : "=r"(old) : "l"(at));
  sum += old;
}

// Each request goes to one of `count` places; `sharing` lanes name one address, the next `stride` bytes on.
template <int op>
__global__ void meet(char* data, const unsigned* places, unsigned count, int rounds, int sharing, int stride,
                     unsigned* out) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, sum = 0;
  char* mine = data + lane / sharing * stride;
  for (int r = 0; r < rounds; ++r) {
    unsigned h = warp * 0x9E3779B9u + r * 0x85EBCA6Bu;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    change<op>(mine + (size_t)places[__umulhi(h, count)] * 32, sum);
  }
  if (sum == 0x12345) *out = sum;
}

char* data;
unsigned *places, *out;
cudaEvent_t b, e;
const int kBlocks = 1056, kThreads = 256;

template <int op>
double once(unsigned count, int rounds, int sharing, int stride, int times) {
  float best = 1e9;
  for (int t = 0; t < times; ++t) {
    cudaEventRecord(b);
    meet<op><<<kBlocks, kThreads>>>(data, places, count, rounds, sharing, stride, out);
    cudaEventRecord(e);
    cudaEventSynchronize(e);
    float ms;
    cudaEventElapsedTime(&ms, b, e);
    best = std::min(best, ms);
  }
  return best * 1e6;  // ns
}
using F = double (*)(unsigned, int, int, int, int);
F operations[] = {once<0>, once<1>, once<2>, once<3>, once<4>, once<5>, once<6>, once<7>, once<8>, once<9>};

void put(const std::vector<unsigned>& p) {
  cudaMemcpy(places, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
}
std::vector<unsigned> every(unsigned n, unsigned step, unsigned first = 0) {
  std::vector<unsigned> p;
  for (unsigned i = 0; i < n; ++i) p.push_back(first + i * step);
  return p;
}
unsigned rnd() {
  static uint64_t s = 88172645463325252ull;
  s ^= s << 13;
  s ^= s >> 7;
  s ^= s << 17;
  return s >> 20;
}
std::vector<unsigned> random_lines(unsigned n, unsigned of) {
  std::vector<unsigned> p;
  for (unsigned i = 0; i < n; ++i) p.push_back(rnd() % of * 4);
  return p;
}

void rate(const char* what, int op, unsigned count, int sharing, int stride) {
  double t1 = operations[op](count, 8, sharing, stride, 3),
         t2 = operations[op](count, 72, sharing, stride, 3);
  double requests = 64.0 * kBlocks * kThreads / 32;
  printf("rate,%s,%s,%u,%d,%d,%.3f,%.1f\n", what, names[op], count, sharing, stride, requests / (t2 - t1),
         t2 * 1e-3);
}

int main() {
  cudaMalloc(&data, 256 << 20);
  cudaMemset(data, 0, 256 << 20);
  cudaMalloc(&places, 4 << 20);
  cudaMalloc(&out, 4);
  cudaEventCreate(&b);
  cudaEventCreate(&e);
  puts("kind,places,op,count,sharing,stride,requests_per_ns,us");
  for (int op : {red_u32, red_f32}) {
    for (unsigned n = 1; n <= 65536; n *= 2) {
      put(every(n, 4));
      rate("adjacent lines", op, n, 1, 4);
    }
    for (unsigned n : {2, 4, 16, 64, 256, 1024, 4096}) {
      put(every(n, 32));
      rate("lines 1 KB apart", op, n, 1, 4);
    }
    for (unsigned n : {2, 4, 16, 64, 256, 1024, 4096}) {
      put(every(n, 128));
      rate("lines 4 KB apart", op, n, 1, 4);
    }
    for (unsigned n : {2, 4, 16, 64, 256, 1024, 4096, 65536}) {
      put(random_lines(n, 1 << 20));
      rate("random lines of 128 MB", op, n, 1, 4);
    }
    // part of a line
    for (int s : {2, 4, 8, 16, 32}) {
      put(every(1, 4));
      rate("one line", op, 1, s, 4);
      put(every(65536, 4));
      rate("adjacent lines", op, 65536, s, 4);
      put(random_lines(256, 1 << 20));
      rate("random lines of 128 MB", op, 256, s, 4);
    }
    // lanes further apart
    for (int stride : {8, 16, 32, 64, 128, 256, 512, 4096}) {
      put(every(1, 4));
      rate("one line", op, 1, 1, stride);
      unsigned m = std::max(1u, 65536u * 128 / (32u * stride));
      put(every(m, stride));
      rate("adjacent", op, m, 1, stride);
    }
    for (int sharing : {2, 4, 8, 16}) {
      put(every(1, 4));
      rate("one line", op, 1, sharing, 32);
      put(random_lines(65536, 1 << 20));
      rate("random lines of 128 MB", op, 65536, sharing, 32);
    }
  }
  for (int op = 2; op < kOps; ++op) {
    int w = op == red_u64 || op == red_f64 ? 8 : 4;
    for (unsigned n : {1, 16, 256, 4096}) {
      put(random_lines(n, 1 << 20));
      rate("random lines of 128 MB", op, n, 1, w);
    }
    for (unsigned n : {1, 16, 256, 4096}) {
      put(random_lines(n, 1 << 20));
      rate("random lines of 128 MB", op, n, 32, w);
    }
    put(every(65536, 8));
    rate("adjacent", op, 65536, 1, w);
    put(random_lines(2048, 1 << 20));
    rate("random sectors", op, 2048, 1, 32);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
