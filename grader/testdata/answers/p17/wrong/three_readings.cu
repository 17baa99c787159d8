// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The row is read for its largest value, again for the sum, and a third time to be written.
// SAYS: `?x`?\b
// SAYS: three|3\.0|times|read
// NEVER: wrong (answer|result|value)
// NEVER: coalesc
// HELD: yes
#include <cuda_runtime.h>
#include <cfloat>

__global__ void softmax_rows(const float* x, float* out, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const float* in = x + (size_t)row * columns;
  float m = -FLT_MAX, s = 0;
  // FILL ME IN: one_pass (roughly 12 lines)
  for (int c = lane; c < columns; c += 32) m = fmaxf(m, in[c]);
  for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  // END: one_pass
  // FILL ME IN: merge (roughly 2 lines)
  for (int c = lane; c < columns; c += 32) s += expf(in[c] - m);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
  // END: merge
  // FILL ME IN: write_row (roughly 3 lines)
  for (int c = lane; c < columns; c += 32) out[(size_t)row * columns + c] = expf(in[c] - m) / s;
  // END: write_row
}

void softmax(const float* x, float* out, int rows, int columns) {
  softmax_rows<<<(rows + 3) / 4, 128>>>(x, out, rows, columns);
}
