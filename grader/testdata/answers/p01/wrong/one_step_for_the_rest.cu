// ENTRY: kernel
// CLASS: tail
// CAUSE: What is left behind the last tile is copied by one step of 256 threads.
// SAYS: loop|left
// NEVER: race|barrier
// HELD: no
// p01: copy an array, with one kernel and one launch.
//
//   out[i] = x[i]      for every i from 0 to n - 1; x and out are in the GPU's memory
//
// Fill in the two blanks (write between the lines FILL ME IN and END), then run:  grader p01
//
//   copy_loop  what one thread does: it copies some of the elements, and all threads together copy each
//              element once. Threads that are neighbours should be copying neighbours at the same time.
//   launch     how many blocks of kThreads threads there are, and the launch itself
//
// n may be 1, or 33, or many millions, and there may be fewer threads than elements: a thread then goes on to
// its next element. Nobody may touch x[n] or out[n], which are not there.
//
//   grader lesson p01     explains every word that the grader uses         grader hint p01
//
// All of this file is yours to change; only the last function keeps its name and its parameters.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kInFlight = 8;                       // loads of a thread before its first store
constexpr long kTile = long{kThreads} * kInFlight;  // elements that a block copies at a time
constexpr long kMostBlocks = 132 * 8;

// Whole tiles first, block after block; the last block also gets what is left behind the last whole tile.
__global__ void copy_kernel(const float* __restrict__ x, float* __restrict__ out, long n) {
  const long tiles = n / kTile;
  for (long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const float* from = x + tile * kTile + threadIdx.x;
    float* to = out + tile * kTile + threadIdx.x;
    float value[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) value[k] = from[k * kThreads];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) to[k * kThreads] = value[k];
  }
  if (blockIdx.x == gridDim.x - 1) {
    const long i = tiles * kTile + threadIdx.x;
    if (i < n) out[i] = x[i];
  }
}

// x, out: [n], in the GPU's memory. n = 0: nothing to do.
void copy(const float* x, float* out, long n) {
  if (n == 0) return;  // A grid of no blocks is an error, not an empty launch.
  const long blocks = std::clamp(n / kTile, 1L, kMostBlocks);
  copy_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(x, out, n);
}
