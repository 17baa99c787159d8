// ENTRY: kernel
// CLASS: host-only
// CAUSE: The second cudaMemset clears mean again instead of rstd, so the finished means are wiped to 0 and the squares are accumulated onto an rstd that was never zeroed.
// SAYS: memset|clear|zero
// SAYS: mean
// SAYS: rstd|again|wip|second|instead|after|overwrit|eras|finished
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

constexpr int kPart = 1024;  // columns of one row that one block has: a long row is shared by several blocks

// Adds its part's share to mean [M], which must be 0 before; block (r, p) has part p of row r.
__global__ void mean_kernel(const float* __restrict__ x, float* __restrict__ mean, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  const int end = min(columns, (static_cast<int>(blockIdx.y) + 1) * kPart);
  // FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = blockIdx.y * kPart + threadIdx.x; c < end; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(&mean[blockIdx.x], sum / columns);
  // END: row_mean
}

// Adds its part's squares around the mean to sums [M], which must be 0 before; block (r, p) has part p of row r.
__global__ void squares_kernel(const float* __restrict__ x, const float* __restrict__ mean,
                               float* __restrict__ sums, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  const int end = min(columns, (static_cast<int>(blockIdx.y) + 1) * kPart);
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = blockIdx.y * kPart + threadIdx.x; c < end; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) atomicAdd(&sums[blockIdx.x], squares);
}

// rstd [M] from the sums that stand in its place; a thread for each row.
__global__ void rstd_kernel(float* rstd, int rows, int columns, float eps) {
  // FILL ME IN: row_rstd (roughly 5 lines)
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row < rows) rstd[row] = rsqrtf(rstd[row] / columns + eps);
  // END: row_rstd
}

// out [M,N] from x [M,N], mean, rstd [M], gamma, beta [N]; block r has row r.
__global__ void normalize_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, const float* __restrict__ mean,
                                 const float* __restrict__ rstd, float* __restrict__ out, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[blockIdx.x], r = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * r * gamma[c] + beta[c];
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launches (roughly 3 lines)
  const dim3 parts(rows, (columns + kPart - 1) / kPart);
  cudaMemset(mean, 0, sizeof(float) * rows);
  mean_kernel<<<parts, kThreads>>>(x, mean, columns);
  cudaMemset(mean, 0, sizeof(float) * rows);
  squares_kernel<<<parts, kThreads>>>(x, mean, rstd, columns);
  rstd_kernel<<<(rows + kThreads - 1) / kThreads, kThreads>>>(rstd, rows, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
  // END: launches
}
