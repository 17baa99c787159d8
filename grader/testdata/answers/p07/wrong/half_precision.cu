// ENTRY: kernel
// CLASS: precision
// CAUSE: The lanes hand each other values in 16 bits (__half).
// SAYS: fp16|half|16|precision|digits|rounded|bits
// NEVER: \brace\b
// NEVER: missing|left out
// HELD: no
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ float warp_sum(float value) {
  // FILL ME IN: warp_sum (roughly 2 lines)
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __half2float(__shfl_down_sync(kAllLanes, __float2half(value), distance));
  // END: warp_sum
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float of_warp[kWarps];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  // FILL ME IN: block_sum (roughly 5 lines)
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < kWarps ? of_warp[lane] : 0.0f);
  // END: block_sum
  return value;
}

__global__ void row_sums_kernel(const float* x, float* out, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void row_sums(const float* x, float* out, int rows, int columns) {
  row_sums_kernel<<<rows, kThreads>>>(x, out, columns);
}
