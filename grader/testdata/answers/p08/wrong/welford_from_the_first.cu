// ENTRY: kernel
// CLASS: missing-term
// CAUSE: the distance from the mean before a value is squared, not multiplied by the one after it
// SAYS: Welford multiplies
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
  // Welford: mean and sum of squared deviations, both in one go
  row_mean = x_row[0];
  float m2 = 0.0f;
  for (int n = 2; n <= columns; ++n) {
    const float delta = x_row[n - 1] - row_mean;
    row_mean += delta / n;
    m2 += delta * delta;
  }
  row_rstd = rsqrtf(m2 / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics

  // Must write every out_row[c].
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c)
    out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
