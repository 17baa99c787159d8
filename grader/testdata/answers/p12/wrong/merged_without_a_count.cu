// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Where two groups are merged, the square of the distance of their means counts n * other_n / all times; the factor n is missing, and the sum of squares is wrong.
// SAYS: apart \* apart \* weight \* n|factor
// SAYS: line
// NEVER: eps
// HELD: no
#include <cuda_runtime.h>

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffu;

class Welford {
 public:
  float n = 0.0f, mean = 0.0f, m2 = 0.0f;

  __device__ void add(float v) {
    n += 1.0f;
    const float before = v - mean;
    mean += before / n;
    m2 += before * (v - mean);
  }

  __device__ void absorb(float other_n, float other_mean, float other_m2) {
    if (other_n == 0.0f) return;
    const float all = n + other_n, apart = other_mean - mean, weight = other_n / all;
    mean += apart * weight;
    m2 += other_m2 + apart * apart * weight;
    n = all;
  }
};

__global__ void __launch_bounds__(kThreads)
    ln_block(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
             float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd, int columns,
             float eps) {
  __shared__ float counts[kWarps], means[kWarps], squares[kWarps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;

  Welford mine;
  for (int c = threadIdx.x; c < columns; c += kThreads) mine.add(in[c]);
  for (int offset = 16; offset > 0; offset /= 2) {
    const float n = __shfl_down_sync(kAll, mine.n, offset);
    const float m = __shfl_down_sync(kAll, mine.mean, offset);
    const float q = __shfl_down_sync(kAll, mine.m2, offset);
    mine.absorb(n, m, q);
  }
  if (threadIdx.x % 32 == 0) {
    counts[threadIdx.x / 32] = mine.n;
    means[threadIdx.x / 32] = mine.mean;
    squares[threadIdx.x / 32] = mine.m2;
  }
  __syncthreads();

  // 16 are few: every thread goes through all of them.
  Welford row;
  for (int w = 0; w < kWarps; ++w) row.absorb(counts[w], means[w], squares[w]);
  const float scale = 1.0f / sqrtf(row.m2 / row.n + eps);

  for (int c = threadIdx.x; c < columns; c += kThreads) to[c] = (in[c] - row.mean) * scale * gamma[c] + beta[c];
  if (threadIdx.x == kThreads - 1) {
    mean[blockIdx.x] = row.mean;
    rstd[blockIdx.x] = scale;
  }
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  ln_block<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
}
