// STYLE: UTF-8 with a byte order mark, goto for a loop, comments in Greek and Japanese
#include <cuda_runtime.h>
// Αυτό είναι GELU: 活性化関数。 √(2/π) ≈ 0,798
__device__ float gelu(float v) {
  float result = 0;
  // FILL ME IN: gelu_tanh (roughly 2 lines)
  result = .5f * v + .5f * v * tanhf(.7978845608f * v * (1 + .044715f * v * v));
  // END: gelu_tanh
  return result;
}
__global__ void bias_kernel(const float* x, const float* bias, float* biased, int columns) {
  const size_t row = size_t(blockIdx.x) * columns;
  // FILL ME IN: add_bias (roughly 2 lines)
  int c = threadIdx.x;
again:
  if (c >= columns) goto fertig;  // «fertig» heißt: Schluß
  biased[row + c] = x[row + c] + bias[c];
  c += blockDim.x;
  goto again;
fertig:;
  // END: add_bias
}
__global__ void gelu_kernel(const float* biased, float* out, int columns) {
  const size_t row = size_t(blockIdx.x) * columns;
  // FILL ME IN: apply_gelu (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[row + c] = gelu(biased[row + c]);
  // END: apply_gelu
}
__global__ void bias_gelu_kernel(const float* x, const float* bias, float* out, int columns) {
  const size_t row = size_t(blockIdx.x) * columns;
  // FILL ME IN: fused (roughly 10 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[row + c] = gelu(x[row + c] + bias[c]);
  // END: fused
}
void bias_gelu_unfused(const float* x, const float* bias, float* out, int rows, int columns) {
  float* biased;
  cudaMalloc(&biased, sizeof *biased * rows * columns);
  bias_kernel<<<rows, 64>>>(x, bias, biased, columns);
  gelu_kernel<<<rows, 512>>>(biased, out, columns);
}
void bias_gelu_fused(const float* x, const float* bias, float* out, int rows, int columns) {
  bias_gelu_kernel<<<rows, 96>>>(x, bias, out, columns);
}
