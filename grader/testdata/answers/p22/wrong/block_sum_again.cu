// ENTRY: kernel
// CLASS: race
// CAUSE: One barrier in a block sum that is called again and again: a fast warp overwrites a partial sum of the next row before a slow one has read it.
// SAYS: race
// SAYS: partial
// SAYS: syncthreads
// NEVER: syncwarp
// HELD: no
// p22: RMSNorm with no more blocks than fit on the machine; each goes through several rows.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of `value` over the block, in every thread.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = partial[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

__global__ void __launch_bounds__(kThreads)
    rmsnorm_resident_blocks(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                            int rows, int columns, float eps) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* x_row = x + static_cast<long>(row) * columns;
    float* out_row = out + static_cast<long>(row) * columns;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < columns; c += kThreads) squares = fmaf(x_row[c], x_row[c], squares);
    const float inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
    for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = x_row[c] * inverse_rms * weight[c];
  }
}

void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  int device = 0, sms = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  const int most = sms * 2048 / kThreads;
  rmsnorm_resident_blocks<<<rows < most ? rows : most, kThreads>>>(x, weight, out, rows, columns, eps);
}
