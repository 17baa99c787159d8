// ENTRY: kernel
// CLASS: control-flow
// CAUSE: the first thread begins with its own part and adds up all parts
// SAYS: value = 0
// p07 warp_sum: add up every row of a matrix again, and let lanes hand each other their values.
//
//   out[r] = x[r][0] + x[r][1] + ... + x[r][columns - 1]        x [rows, columns]   out [rows]
//
// Fill in the two blanks, then run:  grader p07
//
//   warp_sum   the sum over the 32 lanes of a warp, by shuffles: no memory and no barrier
//   block_sum  the sum over the block, in two stages: each warp leaves one value in shared memory, and one
//              warp adds those up
//
// The budget is 128 bytes of shared memory: a float for each warp of the largest block there is. The tree of
// p06 needs a float for each thread.
//
// All of this file is yours to change, block and launch too; only row_sums keeps name and parameters.

#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kThreads = 256;  // of a block; whole warps, 32 of them at most
constexpr int kWarps = kThreads / kWarp;
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of `value` over the lanes of the warp, right in lane 0 at least. All 32 lanes must call it.
__device__ float warp_sum(float value) {
  // FILL ME IN: warp_sum (roughly 2 lines)
  for (int partner = 1; partner < kWarp; partner <<= 1)
    value += __shfl_xor_sync(kAllLanes, value, partner);
  // END: warp_sum
  return value;
}

// The sum of `value` over the threads of the block, right in thread 0 at least. All threads must call it,
// once.
__device__ float block_sum(float value) {
  __shared__ float of_warp[kWarps];
  [[maybe_unused]] const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  // FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (const float part : of_warp) value += part;
  }
  // END: block_sum
  return value;
}

// x: [rows, columns]; out: [rows]. Block r adds up row r.
__global__ void __launch_bounds__(kThreads)
    row_sums_kernel(const float* __restrict__ x, float* __restrict__ out, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
#pragma unroll 4
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// x: [rows, columns]; out: [rows]; device memory. There is at least one row, and one column.
void row_sums(const float* x, float* out, int rows, int columns) {
  row_sums_kernel<<<rows, kThreads>>>(x, out, columns);
}
