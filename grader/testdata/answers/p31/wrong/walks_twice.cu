// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The row is walked over twice: dy, x and gamma are read again for the answer.
// SAYS: dy|\bx\b|read|requested
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: no
#include <cuda_runtime.h>

__global__ void twice(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                      float* dx, int columns) {
  __shared__ float2 part[8];
  const size_t at = static_cast<size_t>(blockIdx.x) * columns;
  const float m = mean[blockIdx.x], r = rstd[blockIdx.x];
  // FILL ME IN: load_row (roughly 5 lines)
  float2 s{};
  for (int c = threadIdx.x; c < columns; c += 256) {
    const float g = dy[at + c] * gamma[c];
    s.x += g;
    s.y += g * (x[at + c] - m) * r;
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int d = 16; d; d /= 2) s.x += __shfl_xor_sync(~0u, s.x, d), s.y += __shfl_xor_sync(~0u, s.y, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  s = {};
  for (int w = 0; w < 8; ++w) s.x += part[w].x, s.y += part[w].y;
  // END: means
  // FILL ME IN: store_row (roughly 5 lines)
  for (int c = threadIdx.x; c < columns; c += 256)
    dx[at + c] = r * (dy[at + c] * gamma[c] - s.x / columns - (x[at + c] - m) * r * (s.y / columns));
  // END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  twice<<<rows, 256>>>(dy, x, gamma, mean, rstd, dx, columns);
}
