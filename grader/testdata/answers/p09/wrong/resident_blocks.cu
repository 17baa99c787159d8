// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: A cooperative grid has to be resident at once: two blocks for each row are more than a GPU can hold from 529 rows on, and the launch is refused.
// SAYS: resident|cooperative
// NEVER: \brace\b|never written
// HELD: no
#include <cooperative_groups.h>
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();  // someone may still be reading the sums of an earlier call
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) total += partial[warp];
  return total;
}

// mean [M] of each row of x [M,N]; block r has row r.
__global__ void mean_kernel(const float* __restrict__ x, float* __restrict__ mean, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
  // END: row_mean
}

// rstd [M] of each row of x [M,N], around the mean that is already there; block r has row r.
__global__ void rstd_kernel(const float* __restrict__ x, const float* __restrict__ mean,
                            float* __restrict__ rstd, int columns, float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: row_rstd (roughly 5 lines)
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
  // END: row_rstd
}

// out [M,N] from x [M,N], mean, rstd [M], gamma, beta [N]; block r has row r.
__global__ void normalize_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, const float* __restrict__ mean,
                                 const float* __restrict__ rstd, float* __restrict__ out, int columns) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
  // END: normalize
}

// Two blocks for each row.
__global__ void two_blocks_mean(const float* x, float* mean, int columns) {
  const int row = blockIdx.x / 2, half = blockIdx.x % 2;
  if (half == 0 && threadIdx.x == 0) mean[row] = 0.0f;
  cooperative_groups::this_grid().sync();
  float sum = 0.0f;
  for (int c = half * blockDim.x + threadIdx.x; c < columns; c += 2 * blockDim.x)
    sum += x[size_t(row) * columns + c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(mean + row, sum / columns);
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launches (roughly 3 lines)
  void* arguments[] = {&x, &mean, &columns};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(two_blocks_mean), dim3(2 * rows), dim3(kThreads), arguments,
                              0, nullptr);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
  // END: launches
}
