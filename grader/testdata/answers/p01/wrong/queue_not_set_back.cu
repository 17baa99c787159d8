// ENTRY: kernel
// CLASS: host-only
// CAUSE: Blocks take tiles from a counter in device memory that nobody sets back to 0: the second call finds no tile left.
// SAYS: next_tile|counter
// SAYS: first call|second|again|set back|reset
// NEVER: \brace\b
// HELD: no
#include <cuda_runtime.h>

constexpr int kThreads = 256, kEach = 4;

// The tile that the next free block takes.
__device__ unsigned long long next_tile;

__global__ void copy_kernel(const float* __restrict__ x, float* __restrict__ out, long n) {
  __shared__ long tile;
  const long tiles = (n + kThreads * kEach - 1) / (kThreads * kEach);
  while (true) {
    if (threadIdx.x == 0) tile = static_cast<long>(atomicAdd(&next_tile, 1ull));
    __syncthreads();
    const long mine = tile;
    __syncthreads();
    if (mine >= tiles) break;
    for (int k = 0; k < kEach; ++k) {
      const long i = (mine * kEach + k) * kThreads + threadIdx.x;
      if (i < n) out[i] = x[i];
    }
  }
}

void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  const long tiles = (n + kThreads * kEach - 1) / (kThreads * kEach);
  copy_kernel<<<static_cast<unsigned>(tiles < 132 ? tiles : 132), kThreads>>>(x, out, n);
}
