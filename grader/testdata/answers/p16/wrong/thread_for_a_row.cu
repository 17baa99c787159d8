// ENTRY: fused
// CLASS: over-budget
// CAUSE: One thread does a whole row: the lanes of a warp stand a row apart.
// SAYS: coalesced|lanes|sectors
// SAYS: apart|sectors|times
// NEVER: \brace\b|uninitiali
// HELD: yes
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) total += partial[warp];
  return total;
}

__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

__global__ void layernorm_kernel(const float* x, const float* gamma, const float* beta, float* normalized, int columns,
                                 float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* normalized_row = normalized + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: layernorm (roughly 8 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  float mean = block_sum(sum) / columns;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    float d = x_row[c] - mean;
    squares += d * d;
  }
  float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    normalized_row[c] = (x_row[c] - mean) * rstd * gamma[c] + beta[c];
  // END: layernorm
}

__global__ void gelu_kernel(const float* normalized, float* out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: apply_gelu (roughly 1 line)
  for (int c = threadIdx.x; c < columns; c += kThreads) out[row + c] = gelu(normalized[row + c]);
  // END: apply_gelu
}

__global__ void layernorm_gelu_kernel(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                                      float eps) {
  // FILL ME IN: fused (roughly 9 lines)
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float mean = 0.0f, var = 0.0f;
  for (int c = 0; c < columns; c++) mean += x_row[c];
  mean /= columns;
  for (int c = 0; c < columns; c++) var += (x_row[c] - mean) * (x_row[c] - mean);
  float rstd = rsqrtf(var / columns + eps);
  for (int c = 0; c < columns; c++)
    out[static_cast<size_t>(row) * columns + c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
  // END: fused
}

void layernorm_gelu_unfused(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                            float eps) {
  float* normalized;
  cudaMalloc(&normalized, sizeof(float) * rows * columns);
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, normalized, columns, eps);
  gelu_kernel<<<rows, kThreads>>>(normalized, out, columns);
  cudaFree(normalized);
}

void layernorm_gelu_fused(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                          float eps) {
  layernorm_gelu_kernel<<<(rows + 63) / 64, 64>>>(x, gamma, beta, out, rows, columns, eps);
}
