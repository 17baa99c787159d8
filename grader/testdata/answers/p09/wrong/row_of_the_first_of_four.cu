// ENTRY: kernel
// CLASS: index
// CAUSE: mean and rstd are looked up for a thread's first value and used for three more, which may be in later rows.
// SAYS: anew|each round|row
// NEVER: race|barrier
// HELD: no
// p09: LayerNorm, second rung: three kernels, each of them easy. The "unfused LayerNorm" of the textbooks.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
//
// Fill in the kernels `row_mean`, `row_rstd` and `normalize`, one for each of the three equations, and then
// `launches`. A block works on one row and its lanes read neighbours, so that requests are tidy now. But
// three launches read x: see what that does to the compulsory bytes.
//
//   grader p09     grader hint p09     grader lesson p09
//
// All of this file is yours to change, launches too; only `layernorm` keeps its name and its parameters.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kPerThread = 4;                   // values that a thread of normalize_kernel has
constexpr int kChunk = kThreads * kPerThread;   // and its block

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();  // someone may still be reading the sums of an earlier call
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) total += partial[warp];
  return total;
}

// This thread's part of the sum of term(c) over the columns of a row.
template <typename Term>
__device__ float sum_over(int columns, Term term) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += term(c);
  return sum;
}

// mean [M] of each row of x [M,N]; block r has row r.
__global__ void mean_kernel(const float* __restrict__ x, float* __restrict__ mean, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: row_mean (roughly 4 lines)
  const float total = block_sum(sum_over(columns, [&](int c) { return x_row[c]; }));
  if (threadIdx.x == 0) mean[blockIdx.x] = total / columns;
  // END: row_mean
}

// rstd [M] of each row of x [M,N], around the mean that is already there; block r has row r.
__global__ void rstd_kernel(const float* __restrict__ x, const float* __restrict__ mean,
                            float* __restrict__ rstd, int columns, float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: row_rstd (roughly 5 lines)
  const float m = mean[blockIdx.x];
  const float total = block_sum(sum_over(columns, [&](int c) {
    const float d = x_row[c] - m;
    return d * d;
  }));
  if (threadIdx.x == 0) rstd[blockIdx.x] = 1.0f / sqrtf(total / columns + eps);
  // END: row_rstd
}

// out [M,N] from x [M,N], mean, rstd [M], gamma, beta [N]; all of it as one long vector of `total` values, of
// which block b has kChunk from b * kChunk on, however long the rows are.
__global__ void normalize_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, const float* __restrict__ mean,
                                 const float* __restrict__ rstd, float* __restrict__ out, size_t total,
                                 int columns) {
  // FILL ME IN: normalize (roughly 3 lines)
  size_t i = static_cast<size_t>(blockIdx.x) * kChunk + threadIdx.x;
  if (i >= total) return;
  const size_t row = i / columns;
  const float m = mean[row], scale = rstd[row];
#pragma unroll
  for (int n = 0; n < kPerThread; ++n, i += kThreads) {
    if (i >= total) break;
    const int c = static_cast<int>(i % columns);
    out[i] = (x[i] - m) * scale * gamma[c] + beta[c];
  }
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launches (roughly 3 lines)
  const size_t total = static_cast<size_t>(rows) * columns;
  const unsigned chunks = static_cast<unsigned>((total + kChunk - 1) / kChunk);
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<chunks, kThreads>>>(x, gamma, beta, mean, rstd, out, total, columns);
  // END: launches
}
