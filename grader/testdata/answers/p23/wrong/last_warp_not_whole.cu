// ENTRY: shared
// CLASS: launch-shape
// CAUSE: A block has as many threads as a narrow row has columns, in no whole warps.
// SAYS: 31\) / 32 \* 32
// NEVER: race
// HELD: no
// p23 rmsnorm_resident: RMSNorm as in p22, but no row is read twice: it stays on the chip in between.
//
//   out[r][c] = x[r][c] * weight[c] / sqrt(mean over c of x[r][c]^2 + eps)
//
//   shared     the row stays in the block's shared memory
//   registers  the row stays in the threads' registers
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kMostThreads = 1024;  // of a block, on every GPU
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of `value` over the block, in every thread. All threads must call it, once per kernel.
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

__device__ float inverse_rms_of(float squares, int columns, float eps) {
  return rsqrtf(squares / static_cast<float>(columns) + eps);
}

// x, out: [rows, columns]; weight: [columns]. Block r has row r; `kept` has room for it.
__global__ void __launch_bounds__(kMostThreads)
    shared_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                  int columns, float eps) {
  extern __shared__ float kept[];
  const long row = static_cast<long>(blockIdx.x) * columns;
  float squares = 0.0f;
#pragma unroll 4
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float value = x[row + c];
    kept[c] = value;
    squares = fmaf(value, value, squares);
  }
  const float inverse = inverse_rms_of(block_sum(squares), columns, eps);
  // Each thread takes what it has put there itself.
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[row + c] = kept[c] * inverse * weight[c];
}

// The same. A thread has the columns threadIdx.x + i * blockDim.x, i from 0 to kShare - 1, that the row has.
template <int kShare>
__global__ void __launch_bounds__(kMostThreads)
    registers_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                     int columns, float eps) {
  const long row = static_cast<long>(blockIdx.x) * columns;
  float kept[kShare];
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    kept[i] = c < columns ? x[row + c] : 0.0f;
  }
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) squares = fmaf(kept[i], kept[i], squares);
  const float inverse = inverse_rms_of(block_sum(squares), columns, eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int c = threadIdx.x + i * blockDim.x;
    if (c < columns) out[row + c] = kept[i] * inverse * weight[c];
  }
}

// A narrow row does not need a block of the largest size.
int threads_for(int columns) { return columns < kMostThreads ? columns : kMostThreads; }

// Takes the smallest kShare, a power of two, that is enough for the row.
template <int kShare>
void launch_registers(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if constexpr (kShare < 32) {
    if (columns > kShare * kMostThreads) {
      launch_registers<2 * kShare>(x, weight, out, rows, columns, eps);
      return;
    }
  }
  registers_kernel<kShare><<<rows, threads_for(columns)>>>(x, weight, out, columns, eps);
}

// Both: x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm_shared(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  const size_t bytes = sizeof(float) * columns;
  // More than 48 KiB must be asked for. It does no harm for fewer.
  cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  shared_kernel<<<rows, threads_for(columns), bytes>>>(x, weight, out, columns, eps);
}

void rmsnorm_registers(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  launch_registers<1>(x, weight, out, rows, columns, eps);
}
