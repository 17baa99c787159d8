// ENTRY: fused
// CLASS: index
// CAUSE: The weight is one vector for all rows; with `&weight[row]` block r reads r rows behind its beginning (in the fused kernel).
// SAYS: weight
// SAYS: weight\[0\]|of the row|for all rows
// NEVER: allocat
// HELD: no
// What a thread keeps of a row are the bits that it has stored: eight bf16 in 16 bytes, a quarter of the registers.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

struct Pack {
  unsigned word[4];  // two elements each, the first in the lower half
};

constexpr int kPacks = 4;

__device__ __forceinline__ float2 widened(unsigned word) {
  return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000u));
}

__device__ __forceinline__ unsigned narrowed(float first, float second) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
  return static_cast<unsigned>(__bfloat16_as_ushort(pair.y)) << 16 | __bfloat16_as_ushort(pair.x);
}

template <bool kAligned>
__device__ __forceinline__ Pack get(const __nv_bfloat16* from, int count) {
  Pack p = {};
  if constexpr (kAligned) {
    if (count > 0) {
      const uint4 all = __ldg(reinterpret_cast<const uint4*>(from));
      p = {{all.x, all.y, all.z, all.w}};
    }
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (i < count) p.word[i / 2] |= static_cast<unsigned>(__bfloat16_as_ushort(from[i])) << (i % 2 * 16);
  }
  return p;
}

template <bool kAligned>
__device__ __forceinline__ void put(__nv_bfloat16* to, const Pack& p, int count) {
  if constexpr (kAligned) {
    if (count > 0) *reinterpret_cast<uint4*>(to) = make_uint4(p.word[0], p.word[1], p.word[2], p.word[3]);
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (i < count) to[i] = __ushort_as_bfloat16(static_cast<unsigned short>(p.word[i / 2] >> (i % 2 * 16)));
  }
}

__device__ __forceinline__ Pack plus(const Pack& a, const Pack& b) {
  Pack sum;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 left = widened(a.word[i]), right = widened(b.word[i]);
    sum.word[i] = narrowed(left.x + right.x, left.y + right.y);
  }
  return sum;
}

__device__ __forceinline__ float squares_of(const Pack& p) {
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 v = widened(p.word[i]);
    s += v.x * v.x + v.y * v.y;
  }
  return s;
}

__device__ __forceinline__ Pack scaled(const Pack& p, const Pack& w, float by) {
  Pack result;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 v = widened(p.word[i]), weight = widened(w.word[i]);
    result.word[i] = narrowed(v.x * by * weight.x, v.y * by * weight.y);
  }
  return result;
}

// The sum over the block, in all threads.
__device__ float total_of(float v) {
  __shared__ float partial[32];
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  v = lane < warps ? partial[lane] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

template <bool kAligned>
__global__ void __launch_bounds__(1024)
    residual_add(const __nv_bfloat16* x, const __nv_bfloat16* residual, __nv_bfloat16* sum, int columns) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int c = 8 * (threadIdx.x + i * blockDim.x);
    const Pack a = get<kAligned>(x + row + c, columns - c), b = get<kAligned>(residual + row + c, columns - c);
    put<kAligned>(sum + row + c, plus(a, b), columns - c);
  }
}

template <bool kAligned>
__device__ __forceinline__ void finish(const Pack (&kept)[kPacks], float squares, const __nv_bfloat16* weight,
                                       __nv_bfloat16* out_row, int columns, float eps) {
  const float by = rsqrtf(total_of(squares) / columns + eps);
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int c = 8 * (threadIdx.x + i * blockDim.x);
    put<kAligned>(out_row + c, scaled(kept[i], get<kAligned>(weight + c, columns - c), by), columns - c);
  }
}

template <bool kAligned>
__global__ void __launch_bounds__(1024)
    rmsnorm(const __nv_bfloat16* __restrict__ sum, const __nv_bfloat16* __restrict__ weight,
            __nv_bfloat16* __restrict__ out, int columns, float eps) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  Pack kept[kPacks];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int c = 8 * (threadIdx.x + i * blockDim.x);
    kept[i] = get<kAligned>(sum + row + c, columns - c);
    squares += squares_of(kept[i]);
  }
  finish<kAligned>(kept, squares, weight, out + row, columns, eps);
}

template <bool kAligned>
__global__ void __launch_bounds__(1024)
    residual_add_rmsnorm(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ residual,
                         const __nv_bfloat16* __restrict__ weight, __nv_bfloat16* __restrict__ sum,
                         __nv_bfloat16* __restrict__ out, int columns, float eps) {
  const size_t row = static_cast<size_t>(blockIdx.x) * columns;
  Pack kept[kPacks];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int c = 8 * (threadIdx.x + i * blockDim.x);
    kept[i] = plus(get<kAligned>(x + row + c, columns - c), get<kAligned>(residual + row + c, columns - c));
    put<kAligned>(sum + row + c, kept[i], columns - c);
    squares += squares_of(kept[i]);
  }
  finish<kAligned>(kept, squares, &weight[row], &out[row], columns, eps);
}

static unsigned threads_for(int columns) { return (columns + 1023) / 1024 * 32; }  // 32 elements for each

void add_rmsnorm_unfused(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                         __nv_bfloat16* sum, __nv_bfloat16* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  const bool aligned = columns % 8 == 0;
  (aligned ? residual_add<true> : residual_add<false>)<<<rows, threads_for(columns)>>>(x, residual, sum,
                                                                                      columns);
  (aligned ? rmsnorm<true> : rmsnorm<false>)<<<rows, threads_for(columns)>>>(sum, weight, out, columns, eps);
}

void add_rmsnorm_fused(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                       __nv_bfloat16* sum, __nv_bfloat16* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  const auto kernel = columns % 8 == 0 ? residual_add_rmsnorm<true> : residual_add_rmsnorm<false>;
  kernel<<<rows, threads_for(columns)>>>(x, residual, weight, sum, out, columns, eps);
}
