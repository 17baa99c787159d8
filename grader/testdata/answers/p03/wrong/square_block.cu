// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: A block of 16 x 16 threads, whose kernel numbers them by threadIdx.x alone.
// SAYS: threadIdx.y|16, 16
// NEVER: barrier
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

constexpr int kThreads = 256;                // of a block
constexpr int kFloats = 4;                   // of a piece
constexpr int kInFlight = 4;                 // pieces that a thread has under way
constexpr int kTile = kThreads * kInFlight;  // pieces of a block

// x, out: [n]. Block b copies pieces b * kTile to (b + 1) * kTile - 1, as far as there are any. The pointers
// are plain ones, without __restrict__: for all the compiler knows a store to `out` changes `x`, so it will
// move no load in front of a store. The order in which they stand here is the order in which they are made.
__global__ void copy_kernel(const float* x, float* out, long n) {
  const long pieces = n / kFloats;
  [[maybe_unused]] const float4* x_pieces = reinterpret_cast<const float4*>(x);
  [[maybe_unused]] float4* out_pieces = reinterpret_cast<float4*>(out);
  [[maybe_unused]] const long first = static_cast<long>(blockIdx.x) * kTile + threadIdx.x;
  // FILL ME IN: copy_tile (roughly 11 lines)
  // Ask for the whole quad of pieces first, write afterwards.
  float4 texel[kInFlight];
#pragma unroll
  for (int k = 0; k < kInFlight; ++k) {
    const long p = first + k * kThreads;
    if (p < pieces) texel[k] = x_pieces[p];
  }
#pragma unroll
  for (int k = 0; k < kInFlight; ++k) {
    const long p = first + k * kThreads;
    if (p < pieces) out_pieces[p] = texel[k];
  }
  // END: copy_tile
  // Given: the one to three floats behind the last piece.
  const long rest = pieces * kFloats + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) out[rest] = x[rest];
}

// x, out: [n], in the GPU's memory, at multiples of 16 bytes. n = 0: nothing to do.
void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  // FILL ME IN: launch (roughly 3 lines)
  // 256 invocations in a group; one group at least, for the tail.
  constexpr int kSide = 16;
  static_assert(kSide * kSide == kThreads);
  const dim3 group(kSide, kSide, 1);
  const long floats_per_group = static_cast<long>(kTile) * kFloats;
  const dim3 dispatch(static_cast<unsigned>((n + floats_per_group - 1) / floats_per_group), 1, 1);
  copy_kernel<<<dispatch, group>>>(x, out, n);
  // END: launch
}
