// STYLE: Uint4 with blocks of 1024, a piece a thread, the tail by the last block backwards.
#include <cuda_runtime.h>
#include <cstdint>
template <class T>
__global__ void move(const T* __restrict__ from, T* __restrict__ to, long many, const float* tail_from, float* tail_to, int tail) {
  // FILL ME IN: copy_pieces (roughly 3 lines)
  const long i = blockIdx.x * 1024l + threadIdx.x;
  if (i < many) to[i] = __ldcs(from + i);
  if (blockIdx.x + 1 == gridDim.x && 1023 - (int)threadIdx.x < tail) tail_to[1023 - threadIdx.x] = tail_from[1023 - threadIdx.x];
  // END: copy_pieces
}
void copy_slice(const float* x, float* out, long first, long n) {
  if (n <= 0) return;
  x += first;
  // FILL ME IN: alignment (roughly 1 lines)
  if (((std::uintptr_t)x | (std::uintptr_t)out) & 15) {
  // END: alignment
    move<float><<<(n + 1023) / 1024, 1024>>>(x, out, n, nullptr, nullptr, 0);
  } else {
    const long q = n >> 2;
    move<uint4><<<q ? (q + 1023) / 1024 : 1, 1024>>>((const uint4*)x, (uint4*)out, q, x + 4 * q, out + 4 * q, (int)(n & 3));
  }
}
