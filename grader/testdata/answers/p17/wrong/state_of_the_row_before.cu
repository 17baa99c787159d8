// ENTRY: kernel
// CLASS: control-flow
// CAUSE: a block does several rows, and what is known of a row so far is not reset between them
// SAYS: row = kNothing
// SAYS: loop
// NEVER: barrier|race
// HELD: no
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kAhead = 4;  // values that a thread has in flight
constexpr unsigned kAllLanes = 0xffffffffu;

// Of some values: their largest, and the sum of exp(value - largest).
struct Partial {
  float largest, sum;
};

// Of no values at all. Not -inf: -inf - -inf is NaN.
constexpr Partial kNothing = {-FLT_MAX, 0.0f};

// What a and b say of their values together.
__device__ Partial merged(Partial a, [[maybe_unused]] Partial b) {
  Partial both = a;
  // FILL ME IN: merge (roughly 2 lines)
  both.largest = fmaxf(a.largest, b.largest);
  both.sum = a.sum * expf(a.largest - both.largest) + b.sum * expf(b.largest - both.largest);
  // END: merge
  return both;
}

__device__ Partial merged_with_lane(Partial mine, int distance) {
  return merged(mine, {__shfl_xor_sync(kAllLanes, mine.largest, distance),
                       __shfl_xor_sync(kAllLanes, mine.sum, distance)});
}

// Given: merged over all threads of the block, the same in every thread. In two stages, as sums are (p07);
// all threads must call it, once.
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

// x, out: [rows, columns]. Block b works on rows b, b + gridDim.x, b + 2 gridDim.x, ...
constexpr int kRowsPerBlock = 4;
__global__ void __launch_bounds__(kThreads)
    softmax_kernel(const float* __restrict__ x, float* __restrict__ out, int rows, int columns) {
  Partial row = kNothing;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const size_t start = static_cast<size_t>(r) * columns;
    const float* x_row = x + start;
    float* out_row = out + start;

  // `row` of this thread's columns: threadIdx.x, threadIdx.x + kThreads, ... Two lines can do it; it takes
  // more to keep kAhead loads under way.

  // FILL ME IN: one_pass (roughly 12 lines)
    int c = threadIdx.x;
    for (; c + (kAhead - 1) * kThreads < columns; c += kAhead * kThreads) {
      float v[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) v[k] = x_row[c + k * kThreads];
      float top = row.largest;
#pragma unroll
      for (int k = 0; k < kAhead; ++k) top = fmaxf(top, v[k]);
      float sum = row.sum * expf(row.largest - top);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) sum += expf(v[k] - top);
      row = {top, sum};
    }
    for (; c < columns; c += kThreads) {
      const float v = x_row[c], top = fmaxf(row.largest, v);
      row = {top, row.sum * expf(row.largest - top) + expf(v - top)};
    }
  // END: one_pass

    row = merged_over_block(row);

  // FILL ME IN: write_row (roughly 3 lines)
    const float scale = 1.0f / row.sum;
    for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = expf(x_row[c] - row.largest) * scale;
    __syncthreads();  // the next row uses of_warp again
  }
  // END: write_row
}

// x, out: [rows, columns]; device memory. There is at least one row, and one column.
void softmax(const float* x, float* out, int rows, int columns) {
  const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  softmax_kernel<<<blocks, kThreads>>>(x, out, rows, columns);
}
