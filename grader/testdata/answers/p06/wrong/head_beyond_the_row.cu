// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: what stands in front of the first float4 is not bounded by the row, where that has one column
// SAYS: thread < columns
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
  const int past = static_cast<int>(reinterpret_cast<size_t>(x_row) / sizeof(float) % 4);
  const int head = (4 - past) % 4;
  if (thread < head) sum = x_row[thread];
  const int quads = (columns - head) / 4;
  const float4* body = reinterpret_cast<const float4*>(x_row + head);
  for (int q = thread; q < quads; q += kThreads) {
    const float4 four = body[q];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  const int rest = head + 4 * quads + thread;
  if (rest < columns) sum += x_row[rest];
  // END: coarsen

  partial[thread] = sum;

  // The sum of all of `partial`, left in partial[0] by thread 0.
  // FILL ME IN: tree (roughly 4 lines)
  for (int half = kThreads / 2; half >= 1; half /= 2) {
    __syncthreads();
    if (thread < half) partial[thread] = partial[thread] + partial[thread + half];
  }
  // END: tree

  if (thread == 0) out[blockIdx.x] = partial[0];
}

// x: [rows, columns]; out: [rows]; device memory. There is at least one row, and one column.
void row_sums(const float* x, float* out, int rows, int columns) {
  // FILL ME IN: launch (roughly 1 line)
  const dim3 grid(rows), block(kThreads);
  row_sums_kernel<<<grid, block>>>(x, out, columns);
  // END: launch
}
