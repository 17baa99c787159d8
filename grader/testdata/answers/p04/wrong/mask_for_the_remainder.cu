// ENTRY: fused
// CLASS: index
// CAUSE: The column is i & (columns - 1), which is i % columns of powers of two alone.
// SAYS: %|remainder|power
// NEVER: race|barrier
// HELD: no
// p04: add a bias and apply GELU, unfused and fused.
//
//   out[r][c] = gelu(x[r][c] + bias[c])      x, out [M,N]   bias [N]
//   gelu(v) = 0.5 v (1 + tanh(0.7978845608 (v + 0.044715 v^3)))      the tanh form: 0.79... is sqrt(2 / pi)
//
// Unfused: fill in `gelu_tanh`, `add_bias` and `apply_gelu`. Two launches: x + bias goes to memory and back.
// Fused: fill in `fused`. One launch: x + bias never leaves its thread.
//
//   grader p04 --unfused     grader p04 --fused     grader p04     grader hint p04     grader lesson p04
//
// All of this file is yours to change, launches too; only the last two functions keep names and parameters.
#include <cuda_runtime.h>

constexpr int kRowThreads = 256;  // of the unfused kernels' blocks, one for each row
constexpr float kRootTwoOverPi = 0.7978845608f;
constexpr float kCubic = 0.044715f;

// GELU of one value, in the tanh form: 0.5 (1 + tanh t) = 1 / (1 + e^-2t).
__device__ __forceinline__ float gelu(float v) {
  const float t = kRootTwoOverPi * fmaf(kCubic * v * v, v, v);
  return v / (1.0f + expf(-2.0f * t));
}

// Unfused, 1 of 2: biased = x + bias.
__global__ void bias_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                            float* __restrict__ biased, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  for (int c = threadIdx.x; c < columns; c += kRowThreads) biased[row + c] = x[row + c] + bias[c];
}

// Unfused, 2 of 2: out = gelu(biased).
__global__ void gelu_kernel(const float* __restrict__ biased, float* __restrict__ out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  for (int c = threadIdx.x; c < columns; c += kRowThreads) out[row + c] = gelu(biased[row + c]);
}

// Fused: the matrix is one long vector of `count` values, of which a block has kPer * blockDim.x in a row.
// Where a value stands in its row is asked for the bias only.
template <int kPer>
__global__ void __launch_bounds__(128)
    fused_flat_kernel(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out,
                      size_t count, unsigned columns) {
  const size_t start = static_cast<size_t>(blockIdx.x) * (blockDim.x * kPer) + threadIdx.x;
  float v[kPer];
#pragma unroll
  for (int n = 0; n < kPer; ++n) {
    const size_t i = start + n * blockDim.x;
    v[n] = i < count ? x[i] + bias[i & (columns - 1)] : 0.0f;
  }
#pragma unroll
  for (int n = 0; n < kPer; ++n) {
    const size_t i = start + n * blockDim.x;
    if (i < count) out[i] = gelu(v[n]);
  }
}

void bias_gelu_unfused(const float* x, const float* bias, float* out, int rows, int columns) {
  float* biased;  // [M,N]
  cudaMalloc(&biased, sizeof(float) * rows * columns);
  bias_kernel<<<rows, kRowThreads>>>(x, bias, biased, columns);
  gelu_kernel<<<rows, kRowThreads>>>(biased, out, columns);
  cudaFree(biased);
}

void bias_gelu_fused(const float* x, const float* bias, float* out, int rows, int columns) {
  constexpr int kPer = 4, kBlock = 128;
  const size_t count = static_cast<size_t>(rows) * columns;
  const size_t blocks = (count + kPer * kBlock - 1) / (kPer * kBlock);
  fused_flat_kernel<kPer><<<static_cast<unsigned>(blocks), kBlock>>>(x, bias, out, count, columns);
}
