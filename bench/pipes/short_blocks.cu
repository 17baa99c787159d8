// What starting blocks costs: nanoseconds for each block of a launch whose threads leave at once, and of one
// whose threads load and store a word first, by how many warps a block has.
//   nvcc -std=c++20 -O3 -arch=native -o short_blocks short_blocks.cu && ./short_blocks

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kWarps = 1 << 22;

__global__ void leave(int* words, int from) {
  if (static_cast<int>(blockIdx.x) >= from) return;
  words[threadIdx.x] = 1;
}

__global__ void copy(const int* from, int* to) {
  const int i = static_cast<int>(blockIdx.x % 64 * blockDim.x + threadIdx.x);
  to[i] = from[i];
}

template <class Launch>
double nanoseconds(int blocks, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  float least = 1e30f;
  for (int n = 0; n < 3; ++n) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    least = ms < least ? ms : least;
  }
  return 1e6 * least / blocks;
}

}  // namespace

int main() {
  int *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 65536 * sizeof(int));
  cudaMalloc(&to, 65536 * sizeof(int));
  std::printf("ns a block\n  warps   leave    copy\n");
  for (const int warps : {1, 2, 4, 8, 16, 24, 32}) {
    const int blocks = kWarps / warps;
    std::printf("  %5d%8.3f%8.3f\n", warps,
                nanoseconds(blocks, [&] { leave<<<blocks, 32 * warps>>>(to, 0); }),
                nanoseconds(blocks, [&] { copy<<<blocks, 32 * warps>>>(from, to); }));
  }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
