// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The statistics have a launch and a buffer of their own, where one kernel was asked for.
// SAYS: launch|buffer|alloc|intermediate
// SAYS: \b2 kernels|\b2 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 2(?![.,]?\d)(?! of)|\btwo\b|extra|\bone\b|intermediate|alloc
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
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
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) {
    const float value = x_row[column];
    sum += value * value;
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
  // END: row_statistics

  // Second pass: out_row[column] = x_row[column] * inverse_rms * weight[column].
  // FILL ME IN: scale_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) {
    __stcs(out_row + column, x_row[column] * inverse_rms * weight[column]);
  }
  // END: scale_row
}

__global__ void statistics_kernel(const float* x, float* inverse, int columns, float eps) {
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads)
    sum += x[long(blockIdx.x) * columns + column] * x[long(blockIdx.x) * columns + column];
  sum = block_sum(sum);
  if (threadIdx.x == 0) inverse[blockIdx.x] = rsqrtf(sum / columns + eps);
}
__global__ void scale_kernel(const float* x, const float* weight, const float* inverse, float* out, int columns) {
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out[long(blockIdx.x) * columns + column] =
        x[long(blockIdx.x) * columns + column] * inverse[blockIdx.x] * weight[column];
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 1 line)
  float* inverse;
  cudaMalloc(&inverse, rows * sizeof(float));
  statistics_kernel<<<rows, kThreads>>>(x, inverse, columns, eps);
  scale_kernel<<<rows, kThreads>>>(x, weight, inverse, out, columns);
  cudaFree(inverse);
  // END: launch
}
