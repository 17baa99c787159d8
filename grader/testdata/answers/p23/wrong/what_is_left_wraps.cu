// ENTRY: registers
// CLASS: out-of-bounds
// CAUSE: what is left of the row is unsigned and wraps for threads behind its end
// SAYS: threadIdx.x < columns
// p23 rmsnorm_resident: RMSNorm as in p22, but no row is read twice: it stays on the chip in between.
//
//   out[r][c] = x[r][c] * weight[c] / sqrt(mean over c of x[r][c]^2 + eps)
//
// Twice, because a chip has two places for a row. A block has one row in both.
//
//   shared     the row stays in the block's shared memory:  keep_in_shared, scale_from_shared, launch_shared
//   registers  the row stays in the threads' registers:     keep_in_registers, scale_from_registers,
//              launch_registers
//
//   grader p23 --entry shared     grader p23 --entry registers     grader p23
//   grader hint p23               grader lesson p23
//
// 1 <= columns <= 32768, so that a row is 128 KiB at most. All of this file is yours to change, launches too;
// only the last two functions keep names and parameters.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kMostThreads = 1024;  // of a block, on every GPU
constexpr unsigned kAllLanes = 0xffffffffu;

// Given: the sum of `value` over the block, in every thread. All threads must call it, once per kernel, and
// the block must be whole warps.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarp];
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  const int lane = threadIdx.x % kWarp, warps = blockDim.x / kWarp;
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = lane < warps ? partial[lane] : 0.0f;
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// x, out: [rows, columns]; weight: [columns]. Block r has row r; `kept` has room for it, as the launch asked.
__global__ void __launch_bounds__(kMostThreads)
    shared_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                  int columns, float eps) {
  extern __shared__ float kept[];
  const long row = static_cast<long>(blockIdx.x) * columns;  // where this block's row starts
  [[maybe_unused]] const float* x_row = x + row;
  [[maybe_unused]] float* out_row = out + row;
  [[maybe_unused]] float inverse_rms = 0.0f;

  // The row goes into `kept`, and 1 / sqrt(mean of its squares + eps) into inverse_rms of every thread.
  // FILL ME IN: keep_in_shared (roughly 8 lines)
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float value = x_row[c];
    kept[c] = value;
    squares = fmaf(value, value, squares);
  }
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
  // END: keep_in_shared
  // FILL ME IN: scale_from_shared (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out_row[c] = kept[c] * inverse_rms * weight[c];
  // END: scale_from_shared
}

// The same. A thread has the columns threadIdx.x + i * blockDim.x, i from 0 to kShare - 1, that the row has.
template <int kShare>
__global__ void __launch_bounds__(kMostThreads)
    registers_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                     int columns, float eps) {
  const long row = static_cast<long>(blockIdx.x) * columns;
  [[maybe_unused]] const float* x_row = x + row;
  [[maybe_unused]] float* out_row = out + row;
  [[maybe_unused]] float kept[kShare];
  [[maybe_unused]] float inverse_rms = 0.0f;
  // FILL ME IN: keep_in_registers (roughly 9 lines)
  // Is there an i-th column for this thread? From its first one on so many are left.
  const auto there = [columns](int i) { return i * blockDim.x < columns - threadIdx.x; };
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) kept[i] = there(i) ? x_row[threadIdx.x + i * blockDim.x] : 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) squares = fmaf(kept[i], kept[i], squares);
  inverse_rms = rsqrtf(block_sum(squares) / columns + eps);
  // END: keep_in_registers
  // FILL ME IN: scale_from_registers (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (there(i)) {
      const int c = threadIdx.x + i * blockDim.x;
      out_row[c] = kept[i] * inverse_rms * weight[c];
    }
  // END: scale_from_registers
}

// Both: x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm_shared(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch_shared (roughly 7 lines)
  const int bytes = columns * static_cast<int>(sizeof(float));
  const int threads = columns < 8192 ? 256 : kMostThreads;
  cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  shared_kernel<<<rows, threads, bytes>>>(x, weight, out, columns, eps);
  // END: launch_shared
}

void rmsnorm_registers(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  // FILL ME IN: launch_registers (roughly 6 lines)
  const int share = columns <= 8 * kMostThreads ? 8 : 32;
  const int warps = (columns + share * kWarp - 1) / (share * kWarp);
  const auto kernel = share == 8 ? registers_kernel<8> : registers_kernel<32>;
  kernel<<<rows, warps * kWarp>>>(x, weight, out, columns, eps);
  // END: launch_registers
}
