// ENTRY: kernel
// CLASS: index
// CAUSE: The block has 192 threads, the tree rounds half up when an odd number of sums is left, and with 3 sums left thread 1 adds partial[3], which has already been added: the guard must be thread + half < active.
// SAYS: power of (2|two)|twice|already|double|\bodd\b|partial|thread \+ half|\btree\b|\bhal(f|ve|ves|ving)\b|192
#include <cuda_runtime.h>

constexpr int kThreads = 192;

__global__ void __launch_bounds__(kThreads)
    row_sums_kernel(const float* __restrict__ x, float* __restrict__ out, int columns) {
  __shared__ float partial[kThreads];
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  const int thread = threadIdx.x;

  float sum = 0.0f;
#pragma unroll 4
  for (int c = thread; c < columns; c += kThreads) sum += x_row[c];
  partial[thread] = sum;

  // 192, 96, 48, 24, 12, 6, 3, 2, 1: round up, so that the odd one out is not lost
  int active = kThreads;
  while (active > 1) {
    const int half = (active + 1) / 2;
    __syncthreads();
    if (thread < half) partial[thread] += partial[thread + half];
    active = half;
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}

void row_sums(const float* x, float* out, int rows, int columns) {
  row_sums_kernel<<<rows, kThreads>>>(x, out, columns);
}
