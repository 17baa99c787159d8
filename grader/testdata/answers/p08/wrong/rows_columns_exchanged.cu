// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The launch passes columns and rows in the wrong order.
// SAYS: rows|columns|swap|exchang|order|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the
// SAYS: columns|rows|arguments?|\bx\b|\bgamma\b|\bmean\b
// NEVER: eps (is )?(missing|outside)|without (gamma|beta)
// HELD: yes
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
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += x_row[c];
  row_mean = sum / columns;
  float squares = 0.0f;
  for (int c = 0; c < columns; ++c) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
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
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, rows, eps);
}
