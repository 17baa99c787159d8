// ENTRY: kernel
// CLASS: pointer
// CAUSE: The pointer that the first loop has moved to the end of the row is not set back to its start, so that the squares are those of the next row and, in the last one, of memory behind x.
// HELD: no
// SAYS: pointer|\bat\b.*(start|begin|row)|reset|set back|rewind|next row|advance
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
  const float* at = x_row;
  for (int left = columns; left > 0; --left) row_mean += *at++;
  row_mean /= columns;
  float squares = 0.0f;
  for (int left = columns; left > 0; --left) {
    const float delta = *at++ - row_mean;
    squares += delta * delta;
  }
  row_rstd = 1.0f / sqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics

  // Must write every out_row[c].
  // FILL ME IN: normalize (roughly 2 lines)
  const float *from = x_row, *scale = gamma, *shift = beta;
  for (float* to = out_row; to != out_row + columns; ++to)
    *to = (*from++ - row_mean) * row_rstd * *scale++ + *shift++;
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
