// How long a warp waits for a line from DRAM: cycles from one load to the next, whose place comes out of it,
// by how many warps of each SM do so and out of how many MB, and how many GB a second that is.
//   nvcc -std=c++20 -O3 -arch=native -o dram_latency dram_latency.cu && ./dram_latency

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kLoads = 256;

/// Each warp reads lines of 128 bytes, the next one far from the last. All values are 0.
__global__ void chase(const unsigned* words, unsigned lines, unsigned* out, long long* cycles) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  unsigned line = warp * 2654435761u % lines, sum = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (int load = 0; load < kLoads; ++load) {
    const unsigned value = words[std::size_t{line} * 32 + lane];
    line = (line * 1664525u + 1013904223u + value) % lines;
    sum += value;
  }
  const long long end = clock64();
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = end - begin;
  out[warp] = sum + line;
}

}  // namespace

int main() {
  constexpr std::size_t kMegabyte = 1 << 20, kMost = 8192;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  unsigned *words = nullptr, *out = nullptr;
  long long* cycles = nullptr;
  cudaMalloc(&words, kMost * kMegabyte);
  cudaMemset(words, 0, kMost * kMegabyte);
  cudaMalloc(&out, kMegabyte);
  cudaMallocManaged(&cycles, sizeof *cycles);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::printf("of all SMs: warps of each, cycles, GB a second\n");
  for (const std::size_t megabytes : {std::size_t{16}, std::size_t{256}, std::size_t{1024}, kMost}) {
    const auto lines = static_cast<unsigned>(megabytes * kMegabyte / 128);
    const auto show = [&](int blocks, int warps) {
      for (int twice = 0; twice < 2; ++twice) {
        if (megabytes > 16) cudaMemset(words + 1024 * kMegabyte, 0, 256 * kMegabyte);  // out of L2
        cudaEventRecord(begin);
        chase<<<blocks, 32 * warps>>>(words, lines, out, cycles);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
      }
      float ms = 0;
      cudaEventElapsedTime(&ms, begin, end);
      std::printf("  %5zu MB, %3d blocks of %2d %8.0f %8.0f\n", megabytes, blocks, warps,
                  static_cast<double>(*cycles) / kLoads, 128.0 * blocks * warps * kLoads / ms / 1e6);
    };
    show(1, 1);
    show(sms, 1);
    for (const int warps : {4, 8, 16, 32}) show(sms, warps);
    show(2 * sms, 32);
  }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
