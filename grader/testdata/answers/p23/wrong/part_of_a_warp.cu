// ENTRY: registers
// CLASS: launch-shape
// CAUSE: the block is not rounded up to whole warps: shuffles name lanes that are not there, and the last warp's part of the sum is left out
// SAYS: block of 32|31\) / 32 \* 32
// SAYS: whole warps|31\) / 32 \* 32
// NEVER: race
// HELD: no
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
  float part = 0.0f;
  const int step = blockDim.x;
  for (int at = threadIdx.x; at < columns; at += step) {
    const float value = x_row[at];
    kept[at] = value;
    part = fmaf(value, value, part);
  }
  part = block_sum(part);
  inverse_rms = 1.0f / sqrtf(part / columns + eps);
  // END: keep_in_shared
  // FILL ME IN: scale_from_shared (roughly 2 lines)
  for (int at = threadIdx.x; at < columns; at += step) out_row[at] = weight[at] * (inverse_rms * kept[at]);
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
  struct {
    int first, step, end;
    __device__ int operator()(int i) const { return first + i * step; }
    __device__ bool has(int i) const { return first + i * step < end; }
  } column{static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), columns};
#pragma unroll
  for (int i = 0; i < kShare; ++i) kept[i] = column.has(i) ? x_row[column(i)] : 0.0f;
  float part = 0.0f;
#pragma unroll
  for (float v : kept) part = fmaf(v, v, part);
  inverse_rms = 1.0f / sqrtf(block_sum(part) / columns + eps);
  // END: keep_in_registers
  // FILL ME IN: scale_from_registers (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (column.has(i)) out_row[column(i)] = weight[column(i)] * (inverse_rms * kept[i]);
  // END: scale_from_registers
}

// Both: x, out: [rows, columns]; weight: [columns]; device memory. No rows or no columns: nothing to do.
void rmsnorm_shared(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch_shared (roughly 7 lines)
  const int bytes = columns * static_cast<int>(sizeof(float));
  cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int warps = (columns + 4 * kWarp - 1) / (4 * kWarp);
  const int threads = kWarp * (warps < 32 ? warps : 32);
  shared_kernel<<<rows, threads, bytes>>>(x, weight, out, columns, eps);
  // END: launch_shared
}

void rmsnorm_registers(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  // FILL ME IN: launch_registers (roughly 6 lines)
  auto go = [&]<int kShare>() {
    const int threads = (columns + kShare - 1) / kShare;  // as many as the row needs
    registers_kernel<kShare><<<rows, threads>>>(x, weight, out, columns, eps);
  };
  if (columns <= 4 * kMostThreads)
    go.operator()<4>();
  else if (columns <= 16 * kMostThreads)
    go.operator()<16>();
  else
    go.operator()<32>();
  // END: launch_registers
}
