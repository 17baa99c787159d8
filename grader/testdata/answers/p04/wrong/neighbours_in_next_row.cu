// ENTRY: fused
// CLASS: out-of-bounds
// CAUSE: A group of four that goes on in the next row reads bias behind its end, where it should begin again.
// SAYS: bias
// SAYS: % columns|begin
// NEVER: \brace\b|barrier|uninitiali|grid
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
constexpr int kThreads = 128;     // of the fused kernel's blocks
constexpr int kPerThread = 4;     // elements that one thread of the fused kernel has in flight
constexpr int kTile = kThreads * kPerThread;
constexpr float kRootTwoOverPi = 0.7978845608f;
constexpr float kCubic = 0.044715f;

// GELU of one value, in the tanh form.
__device__ float gelu(float v) {
  float result = 0.0f;
  // FILL ME IN: gelu_tanh (roughly 2 lines)
  const float inner = kRootTwoOverPi * (v + kCubic * v * v * v);
  result = 0.5f * v * (1.0f + tanhf(inner));
  // END: gelu_tanh
  return result;
}

// Unfused, 1 of 2: biased = x + bias. One block of kRowThreads threads for each row.
__global__ void bias_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                            float* __restrict__ biased, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;  // where this block's row starts
  // FILL ME IN: add_bias (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kRowThreads) biased[row + c] = x[row + c] + bias[c];
  // END: add_bias
}

// Unfused, 2 of 2: out = gelu(biased). One block of kRowThreads threads for each row.
__global__ void gelu_kernel(const float* __restrict__ biased, float* __restrict__ out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: apply_gelu (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kRowThreads) out[row + c] = gelu(biased[row + c]);
  // END: apply_gelu
}

// Fused: a block for kTile values, wherever rows begin and end; a thread has four neighbours, one float4.
__global__ void bias_gelu_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                                 float* __restrict__ out, size_t count, int columns) {
  // FILL ME IN: fused (roughly 10 lines)
  // The matrix is one long run of values: nobody needs to know where a row ends, only which bias is whose.
  size_t i = (static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x) * kPerThread;
  if (i + kPerThread <= count) {
    const float4 value = *reinterpret_cast<const float4*>(x + i);
    const int c = static_cast<int>(i % columns);
    const float4 b = columns % 4 == 0 ? *reinterpret_cast<const float4*>(bias + c)
                                      : make_float4(bias[c], bias[c + 1], bias[c + 2], bias[c + 3]);
    *reinterpret_cast<float4*>(out + i) =
        make_float4(gelu(value.x + b.x), gelu(value.y + b.y), gelu(value.z + b.z), gelu(value.w + b.w));
  } else {
    for (; i < count; ++i) out[i] = gelu(x[i] + bias[i % columns]);
  }
  // END: fused
}

void bias_gelu_unfused(const float* x, const float* bias, float* out, int rows, int columns) {
  float* biased;  // [M,N]
  cudaMalloc(&biased, sizeof(float) * rows * columns);
  bias_kernel<<<rows, kRowThreads>>>(x, bias, biased, columns);
  gelu_kernel<<<rows, kRowThreads>>>(biased, out, columns);
  cudaFree(biased);
}

void bias_gelu_fused(const float* x, const float* bias, float* out, int rows, int columns) {
  const size_t count = static_cast<size_t>(rows) * columns;
  const unsigned blocks = static_cast<unsigned>((count + kTile - 1) / kTile);
  bias_gelu_kernel<<<blocks, kThreads>>>(x, bias, out, count, columns);
}
