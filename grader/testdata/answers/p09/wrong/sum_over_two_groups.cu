// ENTRY: kernel
// CLASS: mask
// CAUSE: group_sum() starts its shuffles at offset 16 although a row belongs to a group of kLanes = 16 lanes; it must start at 8, and so adds the sums of two neighbouring rows.
// SAYS: offset|shuffle|shfl|width|group_sum|reduc|sum
// SAYS: 16|group|half|two rows|neighbou?r|other row|adjacent|whole warp|full warp|32
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
constexpr int kLanes = 16;  // lanes that share a row
constexpr int kRows = kThreads / kLanes;  // of a block

// The sum of `value` over the kLanes lanes of a row, for each of them.
__device__ float group_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// Two rows for each warp. No barrier at all: a row never leaves its half of the warp.
// The columns of a row past the end of x are none, and its lanes go along with 0.
__device__ int columns_of(int row, int rows, int columns) { return row < rows ? columns : 0; }

__global__ void __launch_bounds__(kThreads)
    mean_kernel(const float* __restrict__ x, float* __restrict__ mean, int rows, int columns) {
  const int row = blockIdx.x * kRows + threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  const int count = columns_of(row, rows, columns);
  const float* x_row = x + static_cast<size_t>(row) * columns;
  // FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = lane; c < count; c += kLanes) sum += x_row[c];
  sum = group_sum(sum);
  if (lane == 0 && row < rows) mean[row] = sum / columns;
  // END: row_mean
}

__global__ void __launch_bounds__(kThreads)
    rstd_kernel(const float* __restrict__ x, const float* __restrict__ mean, float* __restrict__ rstd, int rows,
                int columns, float eps) {
  const int row = blockIdx.x * kRows + threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  const int count = columns_of(row, rows, columns);
  const float* x_row = x + static_cast<size_t>(row) * columns;
  // FILL ME IN: row_rstd (roughly 5 lines)
  const float m = row < rows ? mean[row] : 0.0f;
  float squares = 0.0f;
  for (int c = lane; c < count; c += kLanes) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = group_sum(squares);
  if (lane == 0 && row < rows) rstd[row] = rsqrtf(squares / columns + eps);
  // END: row_rstd
}

__global__ void __launch_bounds__(kThreads)
    normalize_kernel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                     const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ out, int rows,
                     int columns) {
  const int row = blockIdx.x * kRows + threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  if (row >= rows) return;
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  // FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[row], r = rstd[row];
  for (int c = lane; c < columns; c += kLanes) out_row[c] = (x_row[c] - m) * r * gamma[c] + beta[c];
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launches (roughly 3 lines)
  const int blocks = (rows + kRows - 1) / kRows;
  mean_kernel<<<blocks, kThreads>>>(x, mean, rows, columns);
  rstd_kernel<<<blocks, kThreads>>>(x, mean, rstd, rows, columns, eps);
  normalize_kernel<<<blocks, kThreads>>>(x, gamma, beta, mean, rstd, out, rows, columns);
  // END: launches
}
