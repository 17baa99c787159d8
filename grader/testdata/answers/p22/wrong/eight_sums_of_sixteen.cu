// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Wide rows have 16 warps, of which the last step adds the first 8.
// SAYS: kWarps|warps
// NEVER: kNarrow <= kNarrowRow
// HELD: no
// p22 rmsnorm_streaming: normalise every row of a matrix by its root mean square, in one kernel.
//
//   out[r][c] = x[r][c] * weight[c] / sqrt(mean over c of x[r][c]^2 + eps)
//
// Fill in the three blanks, then run:  grader p22
//
//   row_statistics  first pass over the row: its sum of squares, and from that the factor 1 / rms
//   scale_row       second pass over the same row: scale it and write it out
//   launch          one block per row
//
// A row may be shorter than the block, longer, or no multiple of anything: no thread may read or write past
// its end. Neighbouring threads take neighbouring columns. Nothing is kept between the passes but one number
// per row: the row itself is read again. Predict both figures before you look: how many bytes will the kernel
// request, and how many would a perfect cache still move?
#include <cuda_runtime.h>

constexpr int kNarrow = 256;  // threads for a row of up to kNarrowRow columns
constexpr int kWide = 512;    // and for a longer one
constexpr int kNarrowRow = 512;
constexpr int kWarps = kNarrow / 32;
constexpr unsigned kAll = 0xffffffffu;

// The sum over the warp, in its lane 0.
__device__ __forceinline__ float warp_total(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(kAll, value, offset);
  return value;
}

// The sum over the block, in every thread. All of them call it.
__device__ float block_total(float value) {
  __shared__ float of_warp[32];
  __shared__ float total;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  value = warp_total(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = warp_total(lane < kWarps ? of_warp[lane] : 0.0f);
    if (lane == 0) total = value;
  }
  __syncthreads();
  return total;
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    rmsnorm_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                   int columns, float eps) {
  const size_t start = static_cast<size_t>(blockIdx.x) * columns;
  const float* from = x + start;
  float* to = out + start;

  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += from[c] * from[c];
  const float factor = rsqrtf(block_total(squares) / columns + eps);

  for (int c = threadIdx.x; c < columns; c += kThreads) to[c] = from[c] * factor * weight[c];
}

// x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  if (columns <= kNarrowRow)
    rmsnorm_kernel<kNarrow><<<rows, kNarrow>>>(x, weight, out, columns, eps);
  else
    rmsnorm_kernel<kWide><<<rows, kWide>>>(x, weight, out, columns, eps);
}
