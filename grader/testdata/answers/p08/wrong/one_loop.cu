// ENTRY: kernel
// CLASS: approximation
// CAUSE: The squares are taken around the running mean sum / (c + 1) of the columns seen so far, in the same loop, instead of around the final mean of the row.
// SAYS: running|partial|so far|prefix|incomplete|cumulative|intermediate|same loop|not the final|single pass|one loop
// SAYS: mean|variance|squares
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

// Grid: enough blocks of kThreads threads for `rows` threads.
__global__ void layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, float* __restrict__ out,
                                 float* __restrict__ mean, float* __restrict__ rstd, int rows, int columns,
                                 float eps) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;  // the last block has more threads than rows are left
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set row_mean and row_rstd, and store them.
  // FILL ME IN: statistics (roughly 8 lines)
  // One loop for both: the mean of what has been seen so far is at hand anyway.
  float sum = 0.0f, squares = 0.0f;
  for (int c = 0; c < columns; ++c) {
    sum += x_row[c];
    const float d = x_row[c] - sum / (c + 1);
    squares += d * d;
  }
  row_mean = sum / columns;
  row_rstd = rsqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics

  // Must write every out_row[c].
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
