// STYLE: a mean around the first value of the row, four sums side by side
// p08: LayerNorm, first rung: one thread for each row.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]: kept, because a backward pass wants them
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr int kLanes = 4;  // running sums of a thread, so that one addition need not wait for the other

// The sum of term(c) for all columns.
template <typename Term>
__device__ float sum_over(int columns, Term term) {
  float part[kLanes] = {};
  int c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
#pragma unroll
    for (int l = 0; l < kLanes; ++l) part[l] += term(c + l);
  }
  for (; c < columns; ++c) part[0] += term(c);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

struct Statistics {
  float mean, rstd;
};

// Distances from the row's first value are small numbers even where the values are not.
__device__ Statistics statistics_of(const float* __restrict__ v, int columns, float eps) {
  const float pivot = v[0];
  const float mean = pivot + sum_over(columns, [=](int c) { return v[c] - pivot; }) / columns;
  const float squares = sum_over(columns, [=](int c) {
    const float d = v[c] - mean;
    return d * d;
  });
  return {mean, 1.0f / sqrtf(squares / columns + eps)};
}

__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int rows, int columns, float eps) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row < rows) {
    const size_t at = static_cast<size_t>(row) * columns;
    const Statistics s = statistics_of(x + at, columns, eps);
    mean[row] = s.mean;
    rstd[row] = s.rstd;
    for (int c = 0; c < columns; ++c) out[at + c] = fmaf((x[at + c] - s.mean) * s.rstd, gamma[c], beta[c]);
  }
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
