// ENTRY: kernel
// CLASS: missing-term
// CAUSE: What a thread has seen is masked to the last value, and its maximum -inf is taken from -inf.
// SAYS: -inf - -inf
// NEVER: race|barrier
// HELD: no
// p17 softmax_online: softmax of every row of a matrix, in one kernel that reads each row twice and not three
// times.
//
//   out[r][c] = exp(x[r][c] - m) / s     m = the largest of row r     s = sum over c of exp(x[r][c] - m)
//
// Values may be -inf (what a mask leaves of a score): they count as exp(-inf) = 0. Each row has at least one
// that is finite.

#include <cuda_runtime.h>

#include <cmath>

constexpr int kWarp = 32;
constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;
constexpr int kAhead = 4;  // values that a thread has in flight
constexpr unsigned kAllLanes = 0xffffffffu;

// Of some values: their largest, and the sum of exp(value - largest).
struct Partial {
  float largest, sum;
};

// What a and b say of their values together. Where one of them knows of nothing the other one is the answer.
__device__ Partial merged(Partial a, Partial b) {
  if (a.sum == 0.0f) return b;
  if (b.sum == 0.0f) return a;
  const float top = fmaxf(a.largest, b.largest);
  return {top, a.sum * expf(a.largest - top) + b.sum * expf(b.largest - top)};
}

__device__ Partial merged_with_lane(Partial mine, int distance) {
  const float largest = __shfl_xor_sync(kAllLanes, mine.largest, distance);
  const float sum = __shfl_xor_sync(kAllLanes, mine.sum, distance);
  return merged(mine, {largest, sum});
}

// Merged over all threads of the block, the same in every thread. All threads must call it, once.
__device__ Partial merged_over_block(Partial mine) {
  __shared__ Partial of_warp[kWarps];
  for (int distance = kWarp / 2; distance > 0; distance /= 2) mine = merged_with_lane(mine, distance);
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) of_warp[threadIdx.x / kWarp] = mine;
  __syncthreads();
  mine = of_warp[lane % kWarps];
  for (int distance = kWarps / 2; distance > 0; distance /= 2) mine = merged_with_lane(mine, distance);
  return mine;
}

// x, out: [rows, columns]. Block r works on row r.
__global__ void __launch_bounds__(kThreads)
    softmax_kernel(const float* __restrict__ x, float* __restrict__ out, int columns) {
  const size_t start = static_cast<size_t>(blockIdx.x) * columns;
  const float* x_row = x + start;
  float* out_row = out + start;

  Partial row = {-INFINITY, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kAhead * kThreads) {
    float value[kAhead];
#pragma unroll
    for (int n = 0; n < kAhead; ++n)
      value[n] = c + n * kThreads < columns ? x_row[c + n * kThreads] : -INFINITY;
    float top = row.largest;
#pragma unroll
    for (int n = 0; n < kAhead; ++n) top = fmaxf(top, value[n]);
    float sum = row.sum * expf(row.largest - top);
#pragma unroll
    for (int n = 0; n < kAhead; ++n) sum += expf(value[n] - top);
    row = {top, sum};
  }

  row = merged_over_block(row);

  const float share = 1.0f / row.sum;
#pragma unroll 4
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = expf(x_row[c] - row.largest) * share;
}

// x, out: [rows, columns]; device memory. There is at least one row, and one column.
void softmax(const float* x, float* out, int rows, int columns) {
  softmax_kernel<<<rows, kThreads>>>(x, out, columns);
}
