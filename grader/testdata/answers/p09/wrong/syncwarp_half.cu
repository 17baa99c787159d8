// ENTRY: kernel
// CLASS: mask
// CAUSE: All 32 lanes call __syncwarp with a mask that names the lower 16 only.
// SAYS: mask|0x0*ffff\b
// SAYS: __syncwarp|lanes?
// NEVER: __activemask|eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  __shared__ float slots[kThreads];
  slots[threadIdx.x] = value;
  for (int offset = 16; offset > 0; offset /= 2) {
    __syncwarp(0x0000ffffu);
    if (threadIdx.x % 32 < offset) slots[threadIdx.x] += slots[threadIdx.x + offset];
  }
  __syncthreads();
  value = slots[threadIdx.x];  // someone may still be reading the sums of an earlier call
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
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
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
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
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
