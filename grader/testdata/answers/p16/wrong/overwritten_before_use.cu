// ENTRY: unfused
// CLASS: index
// CAUSE: what is loaded for the next round takes the place of this one before it was used
// SAYS: at the end of the round
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

constexpr int kThreads = 256;  // of a block, which works on one row
constexpr int kWarps = kThreads / 32;

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();  // someone may still be reading the sums of the last call
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) total += partial[warp];
  return total;
}

// GELU of one value, in the tanh form.
__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// Unfused, 1 of 2: x -> normalized. One block of kThreads threads for each row.
__global__ void layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, float* __restrict__ normalized, int columns,
                                 float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* normalized_row = normalized + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: layernorm (roughly 8 lines)
  const int thread = threadIdx.x;
  float sum = 0.0f;
  for (int c = thread; c < columns; c += kThreads) sum += x_row[c];
  const float mean = block_sum(sum) / columns;

  // The load of the next column is under way while this one is worked on.
  float value = thread < columns ? x_row[thread] : mean;
  float squares = 0.0f;
  for (int c = thread; c < columns; c += kThreads) {
    if (c + kThreads < columns) value = x_row[c + kThreads];
    const float centred = value - mean;
    squares = fmaf(centred, centred, squares);
  }
  const float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = thread; c < columns; c += kThreads)
    normalized_row[c] = fmaf((x_row[c] - mean) * rstd, gamma[c], beta[c]);
  // END: layernorm
}

// Unfused, 2 of 2: out = gelu(normalized). One block of kThreads threads for each row.
__global__ void gelu_kernel(const float* __restrict__ normalized, float* __restrict__ out, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;  // where this block's row starts
  // FILL ME IN: apply_gelu (roughly 1 line)
  const float* from = normalized + row;
  float* to = out + row;
  for (int c = threadIdx.x; c < columns; c += kThreads) to[c] = gelu(from[c]);
  // END: apply_gelu
}

// Fused: one block of kThreads threads for each row.
__global__ void layernorm_gelu_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                      const float* __restrict__ beta, float* __restrict__ out, int columns,
                                      float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: fused (roughly 9 lines)
  const int first = threadIdx.x;
  float total = 0.0f, scatter = 0.0f;
  int c = first;
  while (c < columns) {
    total += x_row[c];
    c += kThreads;
  }
  const float mean = block_sum(total) / columns;
  while ((c -= kThreads) >= first) {
    const float centred = x_row[c] - mean;
    scatter = fmaf(centred, centred, scatter);
  }
  const float rstd = rsqrtf(block_sum(scatter) / columns + eps);
  for (c = first; c < columns; c += kThreads)
    out_row[c] = gelu(fmaf((x_row[c] - mean) * rstd, gamma[c], beta[c]));
  // END: fused
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
