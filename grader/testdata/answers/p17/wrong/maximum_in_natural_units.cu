// ENTRY: kernel
// CLASS: scaling
// CAUSE: Exponentials go through exp2f with log2(e); in the second reading the value is multiplied by log2(e) but the row's maximum, kept in natural units, is not, so all outputs are off by 2^(m (log2 e - 1)).
// SAYS: log2e|maximum|row\.top
// NEVER: \brace\b
// HELD: no
#include <cuda_runtime.h>

#include <cfloat>

namespace {

constexpr float kLog2e = 1.4426950408889634f;

struct Online {
  float top = -FLT_MAX, total = 0.0f;
  __device__ void take(float other_top, float other_total) {
    const float t = fmaxf(top, other_top);
    total = total * exp2f((top - t) * kLog2e) + other_total * exp2f((other_top - t) * kLog2e);
    top = t;
  }
};

template <int kBlock>
__global__ void __launch_bounds__(kBlock) rows_kernel(const float* __restrict__ x, float* __restrict__ out, int n) {
  constexpr int kWarpsOfBlock = kBlock / 32;
  __shared__ float tops[kWarpsOfBlock], totals[kWarpsOfBlock];
  x += static_cast<size_t>(blockIdx.x) * n;
  out += static_cast<size_t>(blockIdx.x) * n;

  Online mine;
  int c = threadIdx.x;
  for (; c + 3 * kBlock < n; c += 4 * kBlock) {
    const float a = x[c], b = x[c + kBlock], d = x[c + 2 * kBlock], e = x[c + 3 * kBlock];
    const float t = fmaxf(fmaxf(fmaxf(a, b), fmaxf(d, e)), -FLT_MAX);
    mine.take(t, exp2f((a - t) * kLog2e) + exp2f((b - t) * kLog2e) + exp2f((d - t) * kLog2e) +
                     exp2f((e - t) * kLog2e));
  }
  for (; c < n; c += kBlock) {
    const float v = x[c], t = fmaxf(v, -FLT_MAX);
    mine.take(t, exp2f((v - t) * kLog2e));
  }

#pragma unroll
  for (int d = 16; d; d >>= 1) {
    const float t = __shfl_xor_sync(0xffffffffu, mine.top, d);
    const float s = __shfl_xor_sync(0xffffffffu, mine.total, d);
    mine.take(t, s);
  }
  if (threadIdx.x % 32 == 0) {
    tops[threadIdx.x / 32] = mine.top;
    totals[threadIdx.x / 32] = mine.total;
  }
  __syncthreads();
  Online row;
#pragma unroll
  for (int w = 0; w < kWarpsOfBlock; ++w) row.take(tops[w], totals[w]);

  const float scale = 1.0f / row.total;
#pragma unroll 4
  for (int k = threadIdx.x; k < n; k += kBlock) out[k] = exp2f(x[k] * kLog2e - row.top) * scale;
}

}  // namespace

void softmax(const float* x, float* out, int rows, int columns) {
  rows_kernel<256><<<rows, 256>>>(x, out, columns);
}
