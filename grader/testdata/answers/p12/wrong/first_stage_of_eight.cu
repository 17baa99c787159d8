// ENTRY: kernel
// CLASS: index
// CAUSE: The first stage joins only kWarps = 8 neighbouring lanes and not the 32 of a warp, so that what lanes 8 to 31 of each warp have found is lost.
// SAYS: butterfly<kWarp>|32 lanes
// NEVER: barrier|race
// HELD: no
// LayerNorm, one block of 256 threads for a row.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;

struct Stat {
  float n, mean, m2;
};

__device__ __forceinline__ Stat join(const Stat& a, const Stat& b) {
  const float n = a.n + b.n;
  if (n == 0.0f) return Stat{0.0f, 0.0f, 0.0f};
  const float d = b.mean - a.mean;
  return Stat{n, (a.n * a.mean + b.n * b.mean) / n, a.m2 + b.m2 + d * d * (a.n * b.n / n)};
}

// Joins what kLanes neighbouring lanes have; afterwards each of them has all of it.
template <int kLanes>
__device__ Stat butterfly(Stat s) {
#pragma unroll
  for (int step = kLanes / 2; step > 0; step >>= 1) {
    Stat other;
    other.n = __shfl_xor_sync(0xffffffff, s.n, step);
    other.mean = __shfl_xor_sync(0xffffffff, s.mean, step);
    other.m2 = __shfl_xor_sync(0xffffffff, s.m2, step);
    s = join(s, other);
  }
  return s;
}

__global__ void __launch_bounds__(kThreads)
    row_kernel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
               float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd, int columns,
               float eps) {
  __shared__ Stat of_warp[kWarps];
  const size_t begin = static_cast<size_t>(blockIdx.x) * columns;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  Stat s = {0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    const float v = x[begin + c];
    s.n += 1.0f;
    const float d = v - s.mean;
    s.mean += d / s.n;
    s.m2 += d * (v - s.mean);
  }

  s = butterfly<kWarps>(s);
  if (lane == 0) of_warp[warp] = s;
  __syncthreads();
  s = butterfly<kWarps>(of_warp[lane % kWarps]);

  const float mu = s.mean, r = rsqrtf(s.m2 / columns + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = mu;
    rstd[blockIdx.x] = r;
  }
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out[begin + c] = fmaf((x[begin + c] - mu) * r, gamma[c], beta[c]);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  row_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
}
