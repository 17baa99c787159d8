// ENTRY: kernel
// CLASS: pointer
// CAUSE: an address, in bytes, is divided by a number of floats
// SAYS: sizeof\(float4\)
// p02: copy a slice of an array, 16 bytes at a time where that is allowed.
//
//   out[i] = x[first + i]      for every i from 0 to n - 1; x has first + n elements, out has n
//
// Fill in the two blanks, then run:  grader p02
//
//   alignment    on the host: may this slice be copied in pieces of 16 bytes? A float4 must start at an
//                address that is a multiple of 16. `x` and `out` do; `x + first` does only for some `first`.
//   copy_pieces  the kernel: if so, float4 after float4, and behind the last whole one up to three single
//                floats; if not, float after float
//
// Any n, any first. Where it is allowed there should be a quarter of p01's requests: one load and one store
// of a warp for 128 elements. One launch.
//
//   grader lesson p02     grader hint p02
//
// All of this file is yours to change; only the last function keeps its name and its parameters.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;  // of a block
constexpr int kFloats = 4;     // of a piece: a float4 has 16 bytes, its members are x, y, z and w

// x, out: [n]. `aligned`: both start at multiples of 16 bytes. Any number of blocks of any size does it.
__global__ void copy_kernel(const float* __restrict__ x, float* __restrict__ out, long n,
                            [[maybe_unused]] bool aligned) {
  [[maybe_unused]] const long first = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  [[maybe_unused]] const long threads = static_cast<long>(gridDim.x) * blockDim.x;
  // The same memory, seen as pieces. Only to be followed if `aligned`.
  [[maybe_unused]] const float4* x_pieces = reinterpret_cast<const float4*>(x);
  [[maybe_unused]] float4* out_pieces = reinterpret_cast<float4*>(out);
  // FILL ME IN: copy_pieces (roughly 3 lines)
  const float* const end = x + n;
  const float* from = x + first;
  float* to = out + first;
  if (aligned) {
    const float4* piece = x_pieces + first;
    const float4* const last = x_pieces + n / kFloats;
    for (float4* room = out_pieces + first; piece < last; piece += threads, room += threads) *room = *piece;
    from += n / kFloats * kFloats;
    to += n / kFloats * kFloats;
  }
  while (from < end) {
    *to = *from;
    from += threads;
    to += threads;
  }
  // END: copy_pieces
}

// x: [first + n]; out: [n]; both in the GPU's memory. n = 0: nothing to do.
void copy_slice(const float* x, float* out, long first, long n) {
  if (n == 0) return;
  const float* slice = x + first;
  bool aligned = false;
  // FILL ME IN: alignment (roughly 2 lines)
  const auto from = reinterpret_cast<std::uintptr_t>(slice), to = reinterpret_cast<std::uintptr_t>(out);
  aligned = from % kFloats == 0 && to % kFloats == 0;
  // END: alignment
  constexpr int kPerBlock = kThreads * kFloats * 4;  // about four pieces for each thread
  const long blocks = (n + kPerBlock - 1) / kPerBlock;
  copy_kernel<<<blocks, kThreads>>>(slice, out, n, aligned);
}
