// ENTRY: fused
// CLASS: scaling
// CAUSE: A thread without a column has 0 and adds the square of 0 - mean in the last round.
// SAYS: beyond the last column
// NEVER: race|eps
// HELD: no
// p16: LayerNorm and GELU, unfused and fused.
//
//   out = gelu(LayerNorm(x))      x, out [M,N]   gamma, beta [N]
//   LayerNorm(v) = (v - mean) / sqrt(variance + eps) * gamma + beta, for the N values of each row
//   gelu(v) = 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3)))
//
// Unfused: fill in `layernorm` and `apply_gelu`. Two launches: the normalised rows go to memory and back.
// Fused: fill in `fused`: the same answer from one launch, which moves half of the bytes.
//
//   grader p16 --unfused     grader p16 --fused     grader p16     grader hint p16     grader lesson p16
//
// All of this file is yours to change, launches too; only the last two functions keep names and parameters.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kThreads = 128;  // of a block, which works on one row
constexpr int kWarps = kThreads / kWarp;

__device__ float warp_sum(float value) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  const int lane = threadIdx.x % kWarp;
  value = warp_sum(value);
  __syncthreads();  // someone may still be reading the sums of the last call
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  return warp_sum(lane < kWarps ? partial[lane] : 0.0f);
}

// GELU of one value, in the tanh form.
__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// Unfused, 1 of 2: x -> normalized. A block for each row.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ normalized, int columns, float eps) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f, squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x[row + c];
  const float mean = block_sum(sum) / columns;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    const float delta = x[row + c] - mean;
    squares += delta * delta;
  }
  const float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    normalized[row + c] = (x[row + c] - mean) * rstd * gamma[c] + beta[c];
}

// Unfused, 2 of 2: out = gelu(normalized). A block for each row.
__global__ void __launch_bounds__(kThreads)
    gelu_kernel(const float* __restrict__ normalized, float* __restrict__ out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  for (int c = threadIdx.x; c < columns; c += kThreads) out[row + c] = gelu(normalized[row + c]);
}

// The sum of what(c) over the columns of a row. The block walks over it in whole rounds, so that its warps
// stay together.
template <typename What>
__device__ float sum_over_row(int columns, What what) {
  float sum = 0.0f;
  for (int first = 0; first < columns; first += kThreads) sum += what(first + threadIdx.x);
  return block_sum(sum);
}

// Fused: a block for each row.
__global__ void __launch_bounds__(kThreads)
    layernorm_gelu_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                          const float* __restrict__ beta, float* __restrict__ out, int columns, float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  const auto value = [=](int c) { return c < columns ? x_row[c] : 0.0f; };
  const float mean = sum_over_row(columns, value) / columns;
  const auto square = [=](int c) {
    const float delta = value(c) - mean;
    return delta * delta;
  };
  const float rstd = rsqrtf(sum_over_row(columns, square) / columns + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
}

void layernorm_gelu_unfused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                            int columns, float eps) {
  float* normalized;  // [M,N]
  cudaMalloc(&normalized, sizeof(float) * rows * columns);
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, normalized, columns, eps);
  gelu_kernel<<<rows, kThreads>>>(normalized, out, columns);
  cudaFree(normalized);
}

void layernorm_gelu_fused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                          int columns, float eps) {
  layernorm_gelu_kernel<<<rows, kThreads>>>(x, gamma, beta, out, columns, eps);
}
