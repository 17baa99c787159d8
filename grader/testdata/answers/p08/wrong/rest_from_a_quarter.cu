// ENTRY: kernel
// CLASS: tail
// CAUSE: The rest behind the groups of four begins at the number of groups times four, but this loop begins at the number of groups and adds most values a second time
// SAYS: going on|where the loop|left
// SAYS: c|n / 4
// NEVER: barrier|race
// HELD: no
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// The sum of term(0) ... term(n - 1), in four sums that do not wait for each other.
template <typename Term>
__device__ float sum_of(int n, Term term) {
  float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int c = 0; c + 4 <= n; c += 4) {
    s[0] += term(c);
    s[1] += term(c + 1);
    s[2] += term(c + 2);
    s[3] += term(c + 3);
  }
  for (int c = n / 4; c < n; ++c) s[0] += term(c);
  return (s[0] + s[1]) + (s[2] + s[3]);
}

__global__ void layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, float* __restrict__ out,
                                 float* __restrict__ mean, float* __restrict__ rstd, int rows, int columns,
                                 float eps) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;  // the last block has more threads than rows are left
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float* out_row = out + static_cast<size_t>(row) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // FILL ME IN: statistics (roughly 8 lines)
  row_mean = sum_of(columns, [=](int c) { return x_row[c]; }) / columns;
  const float variance = sum_of(columns, [=](int c) {
                           const float d = x_row[c] - row_mean;
                           return d * d;
                         }) / columns;
  row_rstd = rsqrtf(variance + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics

  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = 0; c < columns; ++c) out_row[c] = (x_row[c] - row_mean) * row_rstd * gamma[c] + beta[c];
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int blocks = (rows + kThreads - 1) / kThreads;
  layernorm_kernel<<<blocks, kThreads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
}
