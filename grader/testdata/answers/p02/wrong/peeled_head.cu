// ENTRY: kernel
// CLASS: pointer
// CAUSE: The head that is peeled off to align x is added to out too, which was aligned and no longer is.
// SAYS: head
// NEVER: head \* n|n < head
// HELD: no
// p02: copy a slice. Up to three floats are peeled off at the front, so that the rest can always go in pieces
// of 16 bytes, wherever the slice starts.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void peeled_copy(const float* __restrict__ x, float* __restrict__ out, long n, int head) {
  const long me = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long all = static_cast<long>(gridDim.x) * blockDim.x;

  if (me < head && me < n) out[me] = x[me];
  const long whole = n > head ? (n - head) / 4 : 0;
  const float4* from = reinterpret_cast<const float4*>(x + head);
  float4* to = reinterpret_cast<float4*>(out + head);
  for (long i = me; i < whole; i += all) to[i] = from[i];
  for (long i = head + 4 * whole + me; i < n; i += all) out[i] = x[i];
}

void copy_slice(const float* x, float* out, long first, long n) {
  if (n == 0) return;
  const int head = static_cast<int>((4 - first % 4) % 4);  // floats up to the next boundary
  const long per_block = kThreads * 4 * 4;
  peeled_copy<<<static_cast<unsigned>((n + per_block - 1) / per_block), kThreads>>>(x + first, out, n, head);
}
