// ENTRY: kernel
// CLASS: scaling
// CAUSE: Two Welford chains are merged as if both had equally many values.
// SAYS: count|weigh|length
// NEVER: race|eps
// HELD: no
// p08: LayerNorm, first rung: one thread for each row.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]: kept, because a backward pass wants them
//
// Fill in `statistics` and `normalize`. No thread needs another one here, which makes this the easiest
// LayerNorm to get right. It is also the slowest, because of where the lanes of a warp stand:
//
//            c = 0   1   2   3  ...
//   lane 0    [*]  .   .   .          one load of the warp touches the column of stars:
//   lane 1    [*]  .   .   .          32 addresses, N floats apart. Memory answers in sectors of
//   lane 2    [*]  .   .   .          8 floats, so that 32 sectors travel for 32 floats.
//   ...
//
// Look for it in the table (sectors per request, bytes requested) and at the source line in the viewer. The
// rungs above, from p09 on, climb away from it.
//
//   grader p08     grader hint p08     grader lesson p08
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// Welford's running mean, and sum of squares around it.
struct Moments {
  float count = 0.0f, mean = 0.0f, m2 = 0.0f;

  __device__ void take(float v) {
    count += 1.0f;
    const float before = v - mean;
    mean += before / count;
    m2 += before * (v - mean);
  }
};

// Those of two sets together.
__device__ Moments merged(const Moments& a, const Moments& b) {
  Moments both;
  both.count = a.count + b.count;
  const float apart = b.mean - a.mean;
  both.mean = a.mean + 0.5f * apart;
  both.m2 = a.m2 + b.m2 + apart * apart * a.count * b.count / both.count;
  return both;
}

__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const size_t start = static_cast<size_t>(row) * columns;

  // One pass. Even and odd columns have a chain of updates each: an update waits for the one before it.
  Moments even, odd;
  int c = 0;
  for (; c + 1 < columns; c += 2) {
    even.take(x[start + c]);
    odd.take(x[start + c + 1]);
  }
  if (c < columns) even.take(x[start + c]);

  const Moments all = merged(even, odd);
  const float scale = 1.0f / sqrtf(all.m2 / columns + eps);
  mean[row] = all.mean;
  rstd[row] = scale;

  for (int j = 0; j < columns; ++j) out[start + j] = (x[start + j] - all.mean) * scale * gamma[j] + beta[j];
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  layernorm_kernel<<<(rows + kThreads - 1) / kThreads, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns,
                                                                    eps);
}
