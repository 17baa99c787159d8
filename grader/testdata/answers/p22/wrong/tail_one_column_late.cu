// ENTRY: kernel
// CLASS: tail
// CAUSE: The tail of the sum begins one column too late: the first column behind the last whole 256 is left out.
// SAYS: tail|behind
// SAYS: 256
// SAYS: first|one (column )?late|begins
// NEVER: \brace\b|barrier|eps (is )?(missing|outside|inside)|weight (is )?missing
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
constexpr unsigned kAllLanes = 0xffffffffu;

// Given: the sum of `value` over the block, in every thread. All threads must call it, once per kernel: its
// one barrier protects the first use of `partial` and would not protect a second.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  // Every warp adds up the partial sums for itself: that is cheaper than a second barrier.
  value = partial[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// x, out: [rows, columns]; weight: [columns]. Block r works on row r with kThreads threads.
__global__ void __launch_bounds__(kThreads)
    rmsnorm_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                   [[maybe_unused]] int rows, int columns, float eps) {
  // 64 bits before the product: rows * columns may pass 2^31 long before the memory runs out.
  const long row = blockIdx.x;
  [[maybe_unused]] const float* x_row = x + row * columns;
  [[maybe_unused]] float* out_row = out + row * columns;
  [[maybe_unused]] float inverse_rms = 0.0f;

  // First pass: leave 1 / sqrt(mean of the squares + eps) in inverse_rms, the same in every thread.
  // FILL ME IN: row_statistics (roughly 6 lines)
  float squares = 0.0f;
  const int whole = columns / kThreads * kThreads;
#pragma unroll 4
  for (int c = threadIdx.x; c < whole; c += kThreads) squares += x_row[c] * x_row[c];
  const int rest = whole + 1 + threadIdx.x;
  if (rest < columns) squares += x_row[rest] * x_row[rest];
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
  // END: row_statistics

  // Second pass: out_row[column] = x_row[column] * inverse_rms * weight[column].
  // FILL ME IN: scale_row (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = x_row[c] * inverse_rms * weight[c];
  // END: scale_row
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, kThreads>>>(x, weight, out, rows, columns, eps);
  // END: launch
}
