// How what warps issue and what they wait for add up where a block comes from barrier to barrier: microseconds
// of launches that fill every SM, by the warps of a block, the blocks of an SM and the sums between two
// barriers, each of which needs the one before; and of the same without barriers.
//   nvcc -std=c++20 -O3 -arch=native -o phases phases.cu && ./phases

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kRounds = 32;

template <int sums, bool kBarriers>
__global__ void phases(float* out, float factor) {
  extern __shared__ float words[];
  const unsigned next = (threadIdx.x + 32) % blockDim.x;
  float x = factor;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    words[threadIdx.x] = x;
    if constexpr (kBarriers) __syncthreads();
    x = words[kBarriers ? next : threadIdx.x];
#pragma unroll
    for (int i = 0; i < sums; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(x) : "f"(factor));
    if constexpr (kBarriers) __syncthreads();
  }
  if (x == 1) out[threadIdx.x] = x;
}

float* out;
int sms;

template <int sums, bool kBarriers>
void measure(int warps, int blocks) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  float least = 1e30f;
  for (int n = 0; n < 2; ++n) {
    cudaEventRecord(begin);
    phases<sums, kBarriers><<<sms * blocks, 32 * warps, 128 * warps>>>(out, 1e-30f);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    least = ms < least ? ms : least;
  }
  std::printf("  %2d warps, %2d blocks, %3d sums%s %8.2f\n", warps, blocks, sums,
              kBarriers ? "          " : ", no barrier", 1e3 * least);
}

template <int sums>
void measure_all() {
  for (const int warps : {4, 8, 32})
    for (const int resident : {8, 32, 64})
      if (resident >= warps) {
        measure<sums, true>(warps, resident / warps);
        measure<sums, false>(warps, resident / warps);
      }
}

}  // namespace

int main() {
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaMalloc(&out, 1024 * sizeof(float));
  measure_all<4>();
  measure_all<16>();
  measure_all<64>();
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
