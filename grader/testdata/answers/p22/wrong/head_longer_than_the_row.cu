// ENTRY: kernel
// CLASS: tail
// CAUSE: What stands in front of the first float4 is taken from the next rows where the row is shorter.
// SAYS: thread < columns
// NEVER: race|barrier|one is taken for the other
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
  const int thread = threadIdx.x;
  // Single floats up to the first multiple of 16 bytes, then float4, then single floats again.
  const int head = static_cast<int>((16 - reinterpret_cast<size_t>(x_row) % 16) % 16 / sizeof(float));
  const int fours = (columns - head) / 4;
  const float4* middle = reinterpret_cast<const float4*>(x_row + head);
  float squares = 0.0f;
  const auto take = [&squares](float value) { squares = fmaf(value, value, squares); };
  if (thread < head) take(x_row[thread]);
  for (int i = thread; i < fours; i += kThreads) {
    const float4 piece = middle[i];
    take(piece.x);
    take(piece.y);
    take(piece.z);
    take(piece.w);
  }
  for (int column = head + 4 * fours + thread; column < columns; column += kThreads) take(x_row[column]);
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
  // END: row_statistics

  // Second pass: out_row[column] = x_row[column] * inverse_rms * weight[column].
  // FILL ME IN: scale_row (roughly 3 lines)
  for (int column = thread; column < columns; column += kThreads)
    out_row[column] = x_row[column] * inverse_rms * weight[column];
  // END: scale_row
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<dim3(rows), dim3(kThreads)>>>(x, weight, out, rows, columns, eps);
  // END: launch
}
