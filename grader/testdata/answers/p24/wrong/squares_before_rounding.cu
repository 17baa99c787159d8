// ENTRY: fused
// CLASS: precision
// CAUSE: The squares are those of x + residual before it is rounded to bf16, and what is normalised is rounded.
// SAYS: squares.*before it was rounded|squares.*as it was before
// NEVER: approx|rsqrt
// HELD: no
// p24: add a residual and take RMSNorm, of numbers that have 16 bits in memory and 32 in registers.
//
//   sum[r][c] = x[r][c] + residual[r][c], rounded to bf16
//   out[r][c] = sum[r][c] * weight[c] / sqrt(mean over c of sum[r][c]^2 + eps), in float, rounded as stored
//
// x, residual, sum, out: [rows, columns]; weight: [columns]; all bf16. `sum` is an answer as well: it is the
// residual that the next layer adds to. What is normalised is what `sum` holds, with 8 bits.
//
//   load_eight     eight elements from 16 bytes of memory, as floats: one load
//   store_eight    eight floats to 16 bytes of memory: one store
//   normalize      unfused: one kernel has written `sum`, this one reads it, normalises, and writes `out`
//   add_normalize  fused: both in one kernel, and `sum` is not read again
//
//   grader p24 --unfused     grader p24 --fused     grader p24     grader hint p24     grader lesson p24
//
// 1 <= columns <= 32768. All of this file is yours to change, launches too; only the last two functions keep
// names and parameters.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kEight = 8;           // elements in 16 bytes, the most that one access can have
constexpr int kShare = 4;           // groups of eight that a thread has of a row, at most
constexpr int kMostThreads = 1024;  // of a block
constexpr unsigned kAllLanes = 0xffffffffu;

struct Eight {
  float value[kEight];
};

// Where every row begins at a multiple of 16 bytes (kWhole: columns is a multiple of 8), eight elements that
// lie side by side are one access. Elsewhere they are up to eight, of 2 bytes.
//
// The `count` elements from `from` on, or eight if there are more; 0 for those that are not there. `count`
// may be negative.
template <bool kWhole>
__device__ Eight load_eight(const __nv_bfloat16* __restrict__ from, int count) {
  Eight eight = {};
  if constexpr (kWhole) {
    if (count > 0) {
      const uint4 raw = *reinterpret_cast<const uint4*>(from);
      const unsigned words[kEight / 2] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
      for (int w = 0; w < kEight / 2; ++w) {  // a bf16 is the upper half of a float
        eight.value[2 * w] = __uint_as_float(words[w] << 16);
        eight.value[2 * w + 1] = __uint_as_float(words[w] & 0xffff0000u);
      }
    }
  } else {
    for (int i = 0; i < kEight; ++i)
      if (i < count) eight.value[i] = __bfloat162float(from[i]);
  }
  return eight;
}

// Rounds to bf16 and stores as many.
template <bool kWhole>
__device__ void store_eight(__nv_bfloat16* __restrict__ to, const Eight& eight,
                            int count) {
  if constexpr (kWhole) {
    if (count > 0) {
      union {
        __nv_bfloat162 pairs[kEight / 2];
        uint4 raw;
      } packed = {.raw = {}};
#pragma unroll
      for (int w = 0; w < kEight / 2; ++w)
        packed.pairs[w] = __floats2bfloat162_rn(eight.value[2 * w], eight.value[2 * w + 1]);
      *reinterpret_cast<uint4*>(to) = packed.raw;
    }
  } else {
    for (int i = 0; i < kEight; ++i)
      if (i < count) to[i] = __float2bfloat16_rn(eight.value[i]);
  }
}

// Given: x + residual, rounded to bf16 and back.
__device__ Eight add_rounded(const Eight& x, const Eight& residual) {
  Eight sum;
  for (int i = 0; i < kEight; ++i)
    sum.value[i] = __bfloat162float(__float2bfloat16_rn(x.value[i] + residual.value[i]));
  return sum;
}

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

// Unfused, 1 of 2: block r adds row r.
template <bool kWhole>
__global__ void __launch_bounds__(kMostThreads)
    add_kernel(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ residual,
               __nv_bfloat16* __restrict__ sum, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight of_x = load_eight<kWhole>(x + row + column, count);
    const Eight of_residual = load_eight<kWhole>(residual + row + column, count);
    store_eight<kWhole>(sum + row + column, add_rounded(of_x, of_residual), count);
  }
}

// Unfused, 2 of 2: block r normalises row r. A thread has the groups of eight threadIdx.x,
// threadIdx.x + blockDim.x, ... of the row, kShare of them, and keeps them in between.
template <bool kWhole>
__global__ void __launch_bounds__(kMostThreads)
    rmsnorm_kernel(const __nv_bfloat16* __restrict__ sum, const __nv_bfloat16* __restrict__ weight,
                   __nv_bfloat16* __restrict__ out, int columns,
                   float eps) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  Eight kept[kShare];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight;
    kept[i] = load_eight<kWhole>(sum + row + column, columns - column);
#pragma unroll
    for (int j = 0; j < kEight; ++j) squares = fmaf(kept[i].value[j], kept[i].value[j], squares);
  }
  const float factor = 1.0f / sqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight scale = load_eight<kWhole>(weight + column, count);
#pragma unroll
    for (int j = 0; j < kEight; ++j) kept[i].value[j] *= factor * scale.value[j];
    store_eight<kWhole>(out + row + column, kept[i], count);
  }
}

// Fused: block r adds row r and normalises it.
template <bool kWhole>
__global__ void __launch_bounds__(kMostThreads)
    add_rmsnorm_kernel(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ residual,
                       const __nv_bfloat16* __restrict__ weight, __nv_bfloat16* __restrict__ sum,
                       __nv_bfloat16* __restrict__ out, int columns,
                       float eps) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  Eight kept[kShare];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight of_x = load_eight<kWhole>(x + row + column, count);
    const Eight of_residual = load_eight<kWhole>(residual + row + column, count);
#pragma unroll
    for (int j = 0; j < kEight; ++j) {
      const float both = of_x.value[j] + of_residual.value[j];
      squares = fmaf(both, both, squares);
    }
    kept[i] = add_rounded(of_x, of_residual);
    store_eight<kWhole>(sum + row + column, kept[i], count);
  }
  const float factor = 1.0f / sqrtf(block_sum(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int column = (threadIdx.x + i * blockDim.x) * kEight, count = columns - column;
    const Eight scale = load_eight<kWhole>(weight + column, count);
#pragma unroll
    for (int j = 0; j < kEight; ++j) kept[i].value[j] *= factor * scale.value[j];
    store_eight<kWhole>(out + row + column, kept[i], count);
  }
}

// Threads for a row, in whole warps: each has kShare groups of eight.
static int threads_of(int columns) {
  constexpr int kOfWarp = kWarp * kShare * kEight;
  return (columns + kOfWarp - 1) / kOfWarp * kWarp;
}

// Both: no rows or no columns is nothing to do, for a grid of no blocks is an error and not an empty launch.
void add_rmsnorm_unfused(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                         __nv_bfloat16* sum, __nv_bfloat16* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  const int threads = threads_of(columns);
  const bool whole = columns % kEight == 0;
  const auto add = whole ? add_kernel<true> : add_kernel<false>;
  const auto rmsnorm = whole ? rmsnorm_kernel<true> : rmsnorm_kernel<false>;
  add<<<rows, threads>>>(x, residual, sum, columns);
  rmsnorm<<<rows, threads>>>(sum, weight, out, columns, eps);
}

void add_rmsnorm_fused(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                       __nv_bfloat16* sum, __nv_bfloat16* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  const auto kernel = columns % kEight == 0 ? add_rmsnorm_kernel<true> : add_rmsnorm_kernel<false>;
  kernel<<<rows, threads_of(columns)>>>(x, residual, weight, sum, out, columns, eps);
}
