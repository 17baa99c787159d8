// ENTRY: kernel
// CLASS: scaling
// CAUSE: Values and their largest are in units of log2(e), and merge scales sums with expf, not exp2f.
// SAYS: exp2f|power
// NEVER: barrier
// HELD: no
// p17 softmax_online: softmax of every row of a matrix, in one kernel that reads each row twice and not three
// times.
//
//   out[r][c] = exp(x[r][c] - m) / s     m = the largest of row r     s = sum over c of exp(x[r][c] - m)
//
// Fill in the three blanks, then run:  grader p17
//
//   merge      what is known of some values and what is known of others becomes what is known of both
//   one_pass   m and s of this thread's columns, in one loop over them: each value is read once
//   write_row  the second reading of the row: out
//
// Values may be -inf (what a mask leaves of a score): they count as exp(-inf) = 0. Each row has at least one
// that is finite.
//
// All of this file is yours to change, block and launch too; only softmax keeps name and parameters.

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

// x, out: [rows, columns]. Block r works on row r.
__global__ void __launch_bounds__(kThreads)
    softmax_kernel(const float* __restrict__ x, float* __restrict__ out, [[maybe_unused]] int columns) {
  const size_t start = static_cast<size_t>(blockIdx.x) * columns;
  [[maybe_unused]] const float* x_row = x + start;
  [[maybe_unused]] float* out_row = out + start;
  Partial row = kNothing;

  // `row` of this thread's columns: threadIdx.x, threadIdx.x + kThreads, ... Two lines can do it; it takes
  // more to keep kAhead loads under way.

  // FILL ME IN: one_pass (roughly 12 lines)
  // The GPU has an instruction for 2^y and none for e^y: exp(v) = 2^(v * log2(e)). So the row is kept in
  // units of log2(e).
  const float kLog2e = 1.44269504f;
  for (int c = threadIdx.x; c < columns; c += kAhead * kThreads) {
    float v[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const int at = c + k * kThreads;
      v[k] = at < columns ? x_row[at] : -INFINITY;
    }
    float top = row.largest;
#pragma unroll
    for (int k = 0; k < kAhead; ++k) top = fmaxf(top, v[k] * kLog2e);
    row.sum *= exp2f(row.largest - top);
#pragma unroll
    for (int k = 0; k < kAhead; ++k) row.sum += exp2f(fmaf(v[k], kLog2e, -top));
    row.largest = top;
  }
  // END: one_pass

  row = merged_over_block(row);

  // FILL ME IN: write_row (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = exp2f(fmaf(x_row[c], kLog2e, -row.largest)) / row.sum;
  // END: write_row
}

// x, out: [rows, columns]; device memory. There is at least one row, and one column.
void softmax(const float* x, float* out, int rows, int columns) {
  softmax_kernel<<<rows, kThreads>>>(x, out, columns);
}
