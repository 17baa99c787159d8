// ENTRY: kernel
// CLASS: scaling
// CAUSE: Two halves of a row are merged as if both had as many values: of an odd number one has more.
// SAYS: odd|halves|merge
// NEVER: race|barrier
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
  // Two running means, of the even and of the odd columns, so that one division need not wait for the other.
  float mean_of[2] = {0.0f, 0.0f}, squares_of[2] = {0.0f, 0.0f};
  int c = 0;
  float count = 0.0f;
  const auto take = [&](int which, float value) {
    const float delta = value - mean_of[which];
    mean_of[which] += delta / count;
    squares_of[which] += delta * (value - mean_of[which]);
  };
  for (; c + 1 < columns; c += 2) {
    count += 1.0f;
    take(0, x_row[c]);
    take(1, x_row[c + 1]);
  }
  if (c < columns) {
    count += 1.0f;
    take(0, x_row[c]);
  }
  // Both halves become one.
  const float apart = mean_of[1] - mean_of[0];
  row_mean = mean_of[0] + 0.5f * apart;
  const float squares = squares_of[0] + squares_of[1] + apart * apart * 0.25f * columns;
  row_rstd = rsqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics

  // Must write every out_row[c].
  // FILL ME IN: normalize (roughly 2 lines)
  for (int column = 0; column < columns; ++column)
    out_row[column] = fmaf((x_row[column] - row_mean) * row_rstd, gamma[column], beta[column]);
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
