// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Partial sums go to global memory, and a second kernel adds them up: two launches and a tensor in between.
// SAYS: launch|intermediate|allocat
// SAYS: \b2\b|two|between|second|bytes
// NEVER: wrong (answer|result|value)
// NEVER: coalesc
// HELD: yes
#include <cuda_runtime.h>

__global__ void first(const float* x, float* partial, int columns) {
  // FILL ME IN: coarsen (roughly 2 lines)
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) sum += x[(size_t)blockIdx.x * columns + c];
  partial[blockIdx.x * 32 + threadIdx.x] = sum;
  // END: coarsen
}

__global__ void second(const float* partial, float* out) {
  // FILL ME IN: tree (roughly 4 lines)
  __shared__ float words[32];
  const int thread = threadIdx.x;
  words[thread] = partial[blockIdx.x * 32 + thread];
  for (int half = 16; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) words[thread] += words[thread + half];
  }
  if (thread == 0) out[blockIdx.x] = words[0];
  // END: tree
}

void row_sums(const float* x, float* out, int rows, int columns) {
  // FILL ME IN: launch (roughly 1 line)
  float* partial;
  cudaMalloc(&partial, sizeof(float) * rows * 32);
  first<<<rows, 32>>>(x, partial, columns);
  second<<<rows, 32>>>(partial, out);
  cudaFree(partial);
  // END: launch
}
