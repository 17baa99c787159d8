// ENTRY: fused
// CLASS: launch-shape
// CAUSE: gridDim.x is taken for the number of rows, and is rows * tiles.
// SAYS: gridDim.x / tiles
// NEVER: barrier
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
  const float inner = kRootTwoOverPi * v * (1.0f + kCubic * v * v);
  result = 0.5f * v + 0.5f * v * tanhf(inner);
  // END: gelu_tanh
  return result;
}

// Unfused, 1 of 2: biased = x + bias. One block of kRowThreads threads for each row.
__global__ void bias_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                            float* __restrict__ biased, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;  // where this block's row starts
  // FILL ME IN: add_bias (roughly 2 lines)
  const float* x_ptr = x + row;
  float* y_ptr = biased + row;
  for (int offs = threadIdx.x; offs < columns; offs += kRowThreads) y_ptr[offs] = x_ptr[offs] + bias[offs];
  // END: add_bias
}

// Unfused, 2 of 2: out = gelu(biased). One block of kRowThreads threads for each row.
__global__ void gelu_kernel(const float* __restrict__ biased, float* __restrict__ out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: apply_gelu (roughly 2 lines)
  for (int offs = threadIdx.x; offs < columns; offs += kRowThreads) out[row + offs] = gelu(biased[row + offs]);
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
  // Elementwise, so view the tensor as flat: program pid has elements pid * BLOCK ... pid * BLOCK + BLOCK - 1.
  const size_t pid = blockIdx.x;
  const size_t numel = static_cast<size_t>(gridDim.x) * columns;
  const size_t start = pid * kTile;
  const int start_col = static_cast<int>(start % columns);
  float v[kPerThread];
  for (int k = 0; k < kPerThread; ++k) {
    const int lane = k * kThreads + threadIdx.x;
    if (start + lane < numel) v[k] = x[start + lane] + bias[(start_col + lane) % columns];
  }
  for (int k = 0; k < kPerThread; ++k) {
    const int lane = k * kThreads + threadIdx.x;
    if (start + lane < numel) out[start + lane] = gelu(v[k]);
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
  const int tiles = (columns + kTile - 1) / kTile;
  bias_gelu_kernel<<<rows * tiles, kThreads>>>(x, bias, out, columns);
}
