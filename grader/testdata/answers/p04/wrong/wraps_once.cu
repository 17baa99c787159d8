// ENTRY: fused
// CLASS: index
// CAUSE: The fused kernel's thread moves 128 elements on and takes `columns` off its column once only, which is not enough for rows shorter than 128, so that the bias is read from behind its end.
// SAYS: while|again|column
// NEVER: \brace\b|eps|tanh
// HELD: no
#include <cuda_runtime.h>

namespace {

constexpr int kStride = 128;  // threads of a block
constexpr int kDepth = 4;     // elements of a thread, kStride apart in the flat tensor

__device__ __forceinline__ float activate(float v) {
  const float t = 0.7978845608f * fmaf(0.044715f * v * v, v, v);
  return 0.5f * v * (1.0f + tanhf(t));
}

__global__ void flat_fused(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out,
                           size_t total, int columns) {
  const size_t start = static_cast<size_t>(blockIdx.x) * (kStride * kDepth) + threadIdx.x;
  int column = static_cast<int>(start % columns);
  float held[kDepth];
#pragma unroll
  for (int d = 0; d < kDepth; ++d) {
    const size_t at = start + d * kStride;
    if (at < total) held[d] = x[at] + bias[column];
    column += kStride;
    if (column >= columns) column -= columns;
  }
#pragma unroll
  for (int d = 0; d < kDepth; ++d) {
    const size_t at = start + d * kStride;
    if (at < total) out[at] = activate(held[d]);
  }
}

__global__ void plus_bias(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ sum,
                          int columns) {
  const size_t base = static_cast<size_t>(blockIdx.x) * columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum[base + c] = x[base + c] + bias[c];
}

__global__ void activate_all(const float* __restrict__ sum, float* __restrict__ out, size_t total) {
  const size_t at = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < total) out[at] = activate(sum[at]);
}

unsigned parts(size_t total, size_t each) { return static_cast<unsigned>((total + each - 1) / each); }

}  // namespace

void bias_gelu_unfused(const float* x, const float* bias, float* out, int rows, int columns) {
  const size_t total = static_cast<size_t>(rows) * columns;
  float* sum = nullptr;
  cudaMalloc(&sum, total * sizeof(float));
  plus_bias<<<rows, 256>>>(x, bias, sum, columns);
  activate_all<<<parts(total, 256), 256>>>(sum, out, total);
  cudaFree(sum);
}

void bias_gelu_fused(const float* x, const float* bias, float* out, int rows, int columns) {
  const size_t total = static_cast<size_t>(rows) * columns;
  flat_fused<<<parts(total, kStride * kDepth), kStride>>>(x, bias, out, total, columns);
}
