// STYLE: the row stays in dynamic shared memory, read once
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
  extern __shared__ float kept[];
  const long row = blockIdx.x;
  [[maybe_unused]] const float* x_row = x + row * columns;
  [[maybe_unused]] float* out_row = out + row * columns;
  [[maybe_unused]] float inverse_rms = 0.0f;

  // First pass: leave 1 / sqrt(mean of the squares + eps) in inverse_rms, the same in every thread.
  // FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) {
    const float value = kept[column] = x_row[column];
    sum += value * value;
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
  // END: row_statistics

  // Second pass: out_row[column] = x_row[column] * inverse_rms * weight[column].
  // FILL ME IN: scale_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads)
    out_row[column] = kept[column] * inverse_rms * weight[column];
  // END: scale_row
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 1 line)
  const size_t bytes = sizeof(float) * columns;
  cudaFuncSetAttribute(rmsnorm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  rmsnorm_kernel<<<rows, kThreads, bytes>>>(x, weight, out, rows, columns, eps);
  // END: launch
}
