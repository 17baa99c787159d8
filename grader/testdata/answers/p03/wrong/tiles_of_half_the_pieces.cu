// ENTRY: kernel
// CLASS: index
// CAUSE: A tile is made of four pieces a thread, of which each takes eight: every piece is copied by two blocks.
// SAYS: kPieces|kFloats
// NEVER: barrier
// HELD: no
// p03: copy an array with several loads under way from every thread.
//
//   out[i] = x[i]      for every i from 0 to n - 1; x and out start at multiples of 16 bytes
//
// Eight pieces of 16 bytes are under way from each thread: small blocks, deep threads.
#include <cuda_runtime.h>

constexpr int kThreads = 128;                // of a block
constexpr int kFloats = 4;                   // of a piece
constexpr int kDepth = 8;                    // pieces that a thread has under way
constexpr int kTile = kThreads * kFloats;    // pieces of a block

// What a thread holds between its loads and its stores; kThreads pieces lie between two of them.
template <int kPieces>
struct Batch {
  float4 held[kPieces];

  __device__ void load(const float4* from, long at, long end) {
#pragma unroll
    for (int k = 0; k < kPieces; ++k)
      if (at + k * kThreads < end) held[k] = from[at + k * kThreads];
  }

  __device__ void store(float4* to, long at, long end) const {
#pragma unroll
    for (int k = 0; k < kPieces; ++k)
      if (at + k * kThreads < end) to[at + k * kThreads] = held[k];
  }
};

// x, out: [n].
__global__ void __launch_bounds__(kThreads) copy_kernel(const float* x, float* out, long n) {
  const long pieces = n / kFloats;
  const long at = static_cast<long>(blockIdx.x) * kTile + threadIdx.x;
  Batch<kDepth> batch;
  batch.load(reinterpret_cast<const float4*>(x), at, pieces);
  batch.store(reinterpret_cast<float4*>(out), at, pieces);
  // The one to three floats behind the last piece.
  const long rest = pieces * kFloats + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) out[rest] = x[rest];
}

// x, out: [n], in the GPU's memory, at multiples of 16 bytes. n = 0: nothing to do.
void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  long blocks = (n / kFloats + kTile - 1) / kTile;
  if (blocks == 0) blocks = 1;  // nothing but single floats
  copy_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(x, out, n);
}
