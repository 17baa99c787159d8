// ENTRY: kernel
// CLASS: mask
// CAUSE: A thread of the second warp takes part in what the first one adds up.
// SAYS: thread < 32
// NEVER: race|barrier|one is taken for the other
// HELD: no
// p06 block_sum: add up every row of a matrix, one block for each row.
//
//   out[r] = x[r][0] + x[r][1] + ... + x[r][columns - 1]        x [rows, columns]   out [rows]
//
// Fill in the three blanks, then run:  grader p06
//
//   coarsen  each thread adds up columns of its own: threadIdx.x, threadIdx.x + kThreads, ...
//   tree     the block's kThreads sums become one: half as many after each step, through shared memory
//   launch   one block per row
//
// A row may be shorter than the block, or longer, or start at an odd address; a thread without a column still
// has a sum, 0, and still takes part in the tree. The tree has a budget of its own: no bank conflicts.
//
// All of this file is yours to change, block and launch too; only row_sums keeps name and parameters.

#include <cuda_runtime.h>

constexpr int kThreads = 256;  // of a block; a power of 2, so that the tree can halve it down to 1

// x: [rows, columns]; out: [rows]. Block r adds up row r.
__global__ void __launch_bounds__(kThreads)
    row_sums_kernel(const float* __restrict__ x, float* __restrict__ out, [[maybe_unused]] int columns) {
  __shared__ float partial[kThreads];
  // 64 bits before the product: rows * columns may pass 2^31 long before the memory runs out.
  [[maybe_unused]] const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  [[maybe_unused]] const int thread = threadIdx.x;
  float sum = 0.0f;

  // The sum of this thread's columns, left in `sum`.
  // FILL ME IN: coarsen (roughly 2 lines)
  for (int c = thread; c < columns; c += kThreads) sum += x_row[c];
  // END: coarsen

  partial[thread] = sum;

  // The sum of all of `partial`, left in partial[0] by thread 0.
  // FILL ME IN: tree (roughly 4 lines)
  __syncthreads();
  if (thread <= 32) {
    float s = 0;
#pragma unroll
    for (int w = 0; w < kThreads / 32; ++w) s += partial[thread + 32 * w];
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
    if (thread == 0) partial[0] = s;
  }
  // END: tree

  if (thread == 0) out[blockIdx.x] = partial[0];
}

// x: [rows, columns]; out: [rows]; device memory. There is at least one row, and one column.
void row_sums(const float* x, float* out, int rows, int columns) {
  // FILL ME IN: launch (roughly 1 line)
  row_sums_kernel<<<rows, kThreads>>>(x, out, columns);
  // END: launch
}
