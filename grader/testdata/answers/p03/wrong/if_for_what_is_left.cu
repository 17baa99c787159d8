// ENTRY: kernel
// CLASS: tail
// CAUSE: What is left of a thread's pieces, up to three, is copied by an if instead of a loop.
// SAYS: for \(|loop|further
// NEVER: race|barrier
// HELD: no
// p03: copy an array with several loads under way from every thread.
//
//   out[i] = x[i]      for every i from 0 to n - 1; x and out start at multiples of 16 bytes
//
// Fill in the two blanks, then run:  grader p03
//
//   copy_tile  what one thread does: kInFlight pieces of 16 bytes, kThreads pieces apart from each other. It
//              asks for all of them before it stores the first, and keeps them in registers meanwhile.
//   launch     a block for every tile of kTile pieces, and the launch itself
//
// What counts here is how often a warp has to wait for memory: loads that are under way together are one
// wait. A thread that has a single piece under way at a time waits too often; two at least is what the grader
// asks for, four is what the reference has.
//
//   grader lesson p03     grader hint p03
//
// All of this file is yours to change; only the last function keeps its name and its parameters.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kBlock = 256;
constexpr int kDepth = 4;       // float4s that are under way together
constexpr long kFull = 132 * 8;  // blocks that fill the GPU; more would only queue

// The whole grid walks over the array: thread t has pieces t, t + stride, t + 2 stride, ... and asks for
// kDepth of them before it stores one.
template <int kDeep>
__global__ void __launch_bounds__(kBlock) copy_walk(const float* x, float* out, long n) {
  const auto* from = reinterpret_cast<const float4*>(x);
  auto* to = reinterpret_cast<float4*>(out);
  const long pieces = n >> 2, stride = static_cast<long>(gridDim.x) * kBlock;
  long p = static_cast<long>(blockIdx.x) * kBlock + threadIdx.x;

  while (p + (kDeep - 1) * stride < pieces) {  // all kDeep of them are there
    float4 held[kDeep];
#pragma unroll
    for (int d = 0; d < kDeep; ++d) held[d] = from[p + d * stride];
#pragma unroll
    for (int d = 0; d < kDeep; ++d) to[p + d * stride] = held[d];
    p += kDeep * stride;
  }
  if (p < pieces) to[p] = from[p];  // and what is left of this thread's pieces

  // The floats behind the last piece.
  const long last = 4 * pieces + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1 && last < n) out[last] = x[last];
}

// x, out: [n], in the GPU's memory, at multiples of 16 bytes. n = 0: nothing to do.
void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  constexpr long kOfBlock = 4L * kBlock * kDepth;  // floats that a block takes in one round
  const long blocks = std::min(kFull, (n + kOfBlock - 1) / kOfBlock);
  copy_walk<kDepth><<<static_cast<unsigned>(blocks), kBlock>>>(x, out, n);
}
