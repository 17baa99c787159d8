// ENTRY: fused
// CLASS: tail
// CAUSE: a negative number is divided towards 0, so that threads behind the end take one column
// SAYS: \(columns - 1 - first \+ kThreads\) / kThreads
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
  // 0.5 (1 + tanh t) = 1 / (1 + e^-2t)
  const float t = kRootTwoOverPi * fmaf(kCubic * v, v * v, v);
  result = v / (1.0f + expf(-2.0f * t));
  // END: gelu_tanh
  return result;
}

// Unfused, 1 of 2: biased = x + bias. One block of kRowThreads threads for each row.
__global__ void bias_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                            float* __restrict__ biased, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;  // where this block's row starts
  // FILL ME IN: add_bias (roughly 2 lines)
  const float* from = x + row;
  float* to = biased + row;
  for (int c = threadIdx.x; c < columns; c += kRowThreads) to[c] = from[c] + __ldg(&bias[c]);
  // END: add_bias
}

// Unfused, 2 of 2: out = gelu(biased). One block of kRowThreads threads for each row.
__global__ void gelu_kernel(const float* __restrict__ biased, float* __restrict__ out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: apply_gelu (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kRowThreads) out[row + c] = gelu(biased[row + c]);
  // END: apply_gelu
}

// Fused: a block for kTile columns of one row. Blocks start in the order of their numbers, and neighbouring
// numbers are neighbouring tiles: memory likes to be asked for one place at a time.
__global__ void bias_gelu_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                                 float* __restrict__ out, int columns) {
  const int tiles = (columns + kTile - 1) / kTile;  // of a row
  const size_t row = static_cast<size_t>(blockIdx.x / tiles) * columns;
  const int first = blockIdx.x % tiles * kTile + threadIdx.x;  // this thread's first column
  // FILL ME IN: fused (roughly 10 lines)
  // How many columns this thread has in its tile.
  const int mine = min((columns - 1 - first) / kThreads + 1, kPerThread);
  const float* from = x + row + first;
  const float* shift = bias + first;
  float* to = out + row + first;
  float held[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i)
    if (i < mine) held[i] = from[i * kThreads] + shift[i * kThreads];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i)
    if (i < mine) to[i * kThreads] = gelu(held[i]);
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
  const int tiles = (columns + kTile - 1) / kTile;
  bias_gelu_kernel<<<rows * tiles, kThreads>>>(x, bias, out, columns);
}
