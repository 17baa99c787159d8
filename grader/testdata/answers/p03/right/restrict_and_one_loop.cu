// STYLE: restricted pointers and one unrolled loop: the compiler moves the loads to the front
#include <cuda_runtime.h>

constexpr int kThreads = 256;                // of a block
constexpr int kFloats = 4;                   // of a piece
constexpr int kInFlight = 4;                 // pieces that a thread has under way
constexpr int kTile = kThreads * kInFlight;  // pieces of a block

__global__ void copy_kernel(const float* __restrict__ x, float* __restrict__ out, long n) {
  const long pieces = n / kFloats;
  const float4* __restrict__ x_pieces = reinterpret_cast<const float4*>(x);
  float4* __restrict__ out_pieces = reinterpret_cast<float4*>(out);
  // FILL ME IN: copy_tile
  const long thread = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long threads = static_cast<long>(gridDim.x) * kThreads;
#pragma unroll 4
  for (long p = thread; p < pieces; p += threads) out_pieces[p] = x_pieces[p];
  // END: copy_tile
  const long rest = pieces * kFloats + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) out[rest] = x[rest];
}

void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  // FILL ME IN: launch
  copy_kernel<<<8, kThreads>>>(x, out, n);
  // END: launch
}
