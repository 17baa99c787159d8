// STYLE: cub::BlockReduce, a fixed grid whose blocks walk over the rows, 512 threads
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>

__device__ float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }

template <bool kGelu>
__global__ void walk(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                     float eps) {
  using Reduce = cub::BlockReduce<float, 512>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float mean, rstd;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + size_t(row) * columns;
    float mine = 0;
    for (int c = threadIdx.x; c < columns; c += 512) mine += in[c];
    float total = Reduce(storage).Sum(mine);
    if (threadIdx.x == 0) mean = total / columns;
    __syncthreads();
    mine = 0;
    for (int c = threadIdx.x; c < columns; c += 512) mine += (in[c] - mean) * (in[c] - mean);
    total = Reduce(storage).Sum(mine);
    if (threadIdx.x == 0) rstd = rsqrtf(total / columns + eps);
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += 512) {
      const float n = (in[c] - mean) * rstd * gamma[c] + beta[c];
      out[size_t(row) * columns + c] = kGelu ? gelu(n) : n;
    }
    __syncthreads();
  }
}

template <bool kGelu>
void run(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns, float eps) {
  walk<kGelu><<<20, 512>>>(x, gamma, beta, out, rows, columns, eps);
}

__global__ void gelu_kernel(const float* from, float* to, long count) {
  const long first = blockIdx.x * long(blockDim.x) + threadIdx.x;
  // FILL ME IN: apply_gelu (roughly 1 line)
  for (long i = first; i < count; i += long(gridDim.x) * blockDim.x) to[i] = gelu(from[i]);
  // END: apply_gelu
}

void layernorm_gelu_unfused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                            int columns, float eps) {
  float* normalized;
  cudaMalloc(&normalized, sizeof(float) * rows * columns);
  // FILL ME IN: layernorm (roughly 8 lines)
  run<false>(x, gamma, beta, normalized, rows, columns, eps);
  // END: layernorm
  gelu_kernel<<<100, 256>>>(normalized, out, long(rows) * columns);
  cudaFree(normalized);
}

void layernorm_gelu_fused(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                          float eps) {
  // FILL ME IN: fused (roughly 9 lines)
  run<true>(x, gamma, beta, out, rows, columns, eps);
  // END: fused
}
