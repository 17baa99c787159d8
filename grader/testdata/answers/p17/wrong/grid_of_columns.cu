// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has a block for each column and not for each row.
// SAYS: grid|block|row|column|out.of.bounds|past|written|launch
// SAYS: columns|past|never|rows?|outside|block
// NEVER: \brace\b
// HELD: no
#include <cuda_runtime.h>
#include <cfloat>

__global__ void softmax_rows(const float* x, float* out, int columns) {
  const float* in = x + (size_t)blockIdx.x * columns;
  float* to = out + (size_t)blockIdx.x * columns;
  const int lane = threadIdx.x;
  float m = -FLT_MAX, s = 0;
  // FILL ME IN: one_pass (roughly 12 lines)
  for (int c = lane; c < columns; c += 32) {
    const float n = fmaxf(m, in[c]);
    s = s * expf(m - n) + expf(in[c] - n);
    m = n;
  }
  // END: one_pass
  // FILL ME IN: merge (roughly 2 lines)
  for (int d = 16; d; d >>= 1) {
    const float m2 = __shfl_xor_sync(~0u, m, d), s2 = __shfl_xor_sync(~0u, s, d), n = fmaxf(m, m2);
    s = s * expf(m - n) + s2 * expf(m2 - n);
    m = n;
  }
  // END: merge
  // FILL ME IN: write_row (roughly 3 lines)
  for (int c = lane; c < columns; c += 32) to[c] = expf(in[c] - m) / s;
  // END: write_row
}

void softmax(const float* x, float* out, int rows, int columns) { softmax_rows<<<columns, 32>>>(x, out, columns); }
