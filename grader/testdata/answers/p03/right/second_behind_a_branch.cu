// STYLE: two pieces a thread, the second one behind a branch that both of them are stored in
#include <cuda_runtime.h>

namespace {

constexpr long kPair = 512;  // pieces that a block copies at a time

__global__ void copy_pairs(const float4* from, float4* to, long pieces, const float* x, float* out, long n) {
  for (long near = blockIdx.x * kPair + threadIdx.x; near < pieces; near += gridDim.x * kPair) {
    const long far = near + kPair / 2;
    const float4 one = from[near];
    if (far < pieces) {
      const float4 two = from[far];
      to[near] = one;
      to[far] = two;
    } else {
      to[near] = one;
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < n - 4 * pieces) out[4 * pieces + threadIdx.x] = x[4 * pieces + threadIdx.x];
}

}  // namespace

void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  const long pieces = n / 4, pairs = (pieces + kPair - 1) / kPair;
  copy_pairs<<<static_cast<unsigned>(pairs > 0 ? pairs : 1), kPair / 2>>>(
      reinterpret_cast<const float4*>(x), reinterpret_cast<float4*>(out), pieces, x, out, n);
}
