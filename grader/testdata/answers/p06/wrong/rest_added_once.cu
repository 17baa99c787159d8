// ENTRY: kernel
// CLASS: tail
// CAUSE: Behind the loop of four a thread may have up to three columns left, and only the first of them is added: the rest needs a loop, not an if.
// SAYS: for \(; c < columns|left over|rest
// SAYS: line 2[0-9]
// NEVER: barrier|race
// HELD: no
// Four sums a thread, so that four loads are under way at a time.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    row_sums_unrolled(const float* __restrict__ x, float* __restrict__ out, int columns) {
  __shared__ float shared_sums[kThreads];
  const int t = threadIdx.x;
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;

  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  int c = t;
  for (; c + 3 * kThreads < columns; c += 4 * kThreads) {
    s0 += row[c];
    s1 += row[c + kThreads];
    s2 += row[c + 2 * kThreads];
    s3 += row[c + 3 * kThreads];
  }
  // what is left over
  if (c < columns) s0 += row[c];
  shared_sums[t] = (s0 + s1) + (s2 + s3);
  __syncthreads();

#pragma unroll
  for (int reach = kThreads / 2; reach; reach /= 2) {
    if (t < reach) shared_sums[t] += shared_sums[t + reach];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = shared_sums[0];
}

void row_sums(const float* x, float* out, int rows, int columns) {
  row_sums_unrolled<<<rows, kThreads>>>(x, out, columns);
}
