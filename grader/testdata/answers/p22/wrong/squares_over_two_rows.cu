// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The sum of squares is declared before the loop over a block's two rows and never set back: the second row is divided by what both rows have.
// SAYS: not set to 0 anew|squares|begins?|sum
// SAYS: row
// NEVER: \brace\b
// NEVER: barrier
// NEVER: eps
// HELD: no
// p22 rmsnorm_streaming: normalise every row of a matrix by its root mean square, in one kernel.
//
//   out[r][c] = x[r][c] * weight[c] / sqrt(mean over c of x[r][c]^2 + eps)
//
// Fill in the three blanks, then run:  grader p22
//
//   row_statistics  first pass over the row: its sum of squares, and from that the factor 1 / rms
//   scale_row       second pass over the same row: scale it and write it out
//   launch          one block per row
//
// A row may be shorter than the block, longer, or no multiple of anything: no thread may read or write past
// its end. Neighbouring threads take neighbouring columns. Nothing is kept between the passes but one number
// per row: the row itself is read again. Predict both figures before you look: how many bytes will the kernel
// request, and how many would a perfect cache still move?

#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kRowsOfBlock = 2;  // fewer blocks, each with two rows
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of `value` over the block, in every thread. With a second barrier, since it is called once per row.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  const int lane = threadIdx.x % kWarp;
  __syncthreads();  // the sums of the last row have been read
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  // Every warp adds up the partial sums for itself: that is cheaper than a second barrier.
  value = partial[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// x, out: [rows, columns]; weight: [columns]. A block works on kRowsOfBlock rows, one after the other.
__global__ void __launch_bounds__(kThreads)
    rmsnorm_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                   int rows, int columns, float eps) {
  const long first_row = static_cast<long>(blockIdx.x) * kRowsOfBlock;
  const long end_row = min(first_row + kRowsOfBlock, static_cast<long>(rows));
  float squares = 0.0f;
  for (long row = first_row; row < end_row; ++row) {
    const float* x_row = x + row * columns;
    float* out_row = out + row * columns;

    // First pass: leave 1 / sqrt(mean of the squares + eps) in inverse_rms, the same in every thread.
    // FILL ME IN: row_statistics (roughly 6 lines)
    for (int column = threadIdx.x; column < columns; column += kThreads) {
      const float value = x_row[column];
      squares = fmaf(value, value, squares);
    }
    const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
    // END: row_statistics

    // Second pass: out_row[column] = x_row[column] * inverse_rms * weight[column].
    // FILL ME IN: scale_row (roughly 3 lines)
    for (int column = threadIdx.x; column < columns; column += kThreads)
      out_row[column] = x_row[column] * inverse_rms * weight[column];
    // END: scale_row
  }
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 1 line)
  const int blocks = (rows + kRowsOfBlock - 1) / kRowsOfBlock;
  rmsnorm_kernel<<<blocks, kThreads>>>(x, weight, out, rows, columns, eps);
  // END: launch
}
