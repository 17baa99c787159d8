// ENTRY: kernel
// CLASS: scaling
// CAUSE: the mean alone is scaled, for want of brackets, and not its distance from the value
// SAYS: from - m\) \* slope
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

// mean [M] of each row of x [M,N]; block r has row r.
__global__ void mean_kernel(const float* __restrict__ x, float* __restrict__ mean, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
  // END: row_mean
}

// rstd [M] of each row of x [M,N], around the mean that is already there; block r has row r.
__global__ void rstd_kernel(const float* __restrict__ x, const float* __restrict__ mean,
                            float* __restrict__ rstd, int columns, float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: row_rstd (roughly 5 lines)
  const float center = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    const float off = x_row[c] - center;
    squares = fmaf(off, off, squares);
  }
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
  // END: row_rstd
}

// out [M,N] from x [M,N], mean, rstd [M], gamma, beta [N]; block r has row r.
__global__ void normalize_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, const float* __restrict__ mean,
                                 const float* __restrict__ rstd, float* __restrict__ out, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[blockIdx.x];
  const float r = rstd[blockIdx.x];
  const float* from = x_row + threadIdx.x;
  const float* g = gamma + threadIdx.x;
  const float* b = beta + threadIdx.x;
  float* to = out_row + threadIdx.x;
  for (int left = columns - static_cast<int>(threadIdx.x); left > 0; left -= kThreads) {
    const float slope = r * *g;
    *to = *from - m * slope + *b;
    from += kThreads, g += kThreads, b += kThreads, to += kThreads;
  }
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
  // END: launches
}
