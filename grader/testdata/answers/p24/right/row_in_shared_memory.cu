// STYLE: the row is kept in dynamic shared memory as bf16; odd lengths go element by element, side by side
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__device__ float all_of_block(float v) {
  __shared__ float of_warp[32];
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  float total = 0.0f;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) total += of_warp[w];
  return total;
}

struct Pack {
  uint4 bits;
  __device__ __nv_bfloat162& pair(int i) { return reinterpret_cast<__nv_bfloat162*>(&bits)[i]; }
};

__device__ Pack get(const __nv_bfloat16* from) {
  Pack p;
  // FILL ME IN: load_eight (roughly 7 lines)
  p.bits = *(const uint4*)from;
  // END: load_eight
  return p;
}
__device__ void put(__nv_bfloat16* to, const Pack& p) {
  // FILL ME IN: store_eight (roughly 6 lines)
  *(uint4*)to = p.bits;
  // END: store_eight
}

// Scales what lies in `row`, whose squares this thread has added up in part.
__device__ void scale_row(const __nv_bfloat16* row, const __nv_bfloat16* weight, __nv_bfloat16* out, int n, float part,
                          float eps) {
  const float f = rsqrtf(all_of_block(part) / n + eps);
  if (n % 8 == 0) {
    for (int c = 8 * threadIdx.x; c < n; c += 8 * blockDim.x) {
      Pack v = get(row + c), w = get(weight + c);
      for (int i = 0; i < 4; ++i) {
        const float2 a = __bfloat1622float2(v.pair(i)), b = __bfloat1622float2(w.pair(i));
        v.pair(i) = __floats2bfloat162_rn(a.x * f * b.x, a.y * f * b.y);
      }
      put(out + c, v);
    }
  } else {
    for (int c = threadIdx.x; c < n; c += blockDim.x)
      out[c] = __float2bfloat16(__bfloat162float(row[c]) * f * __bfloat162float(weight[c]));
  }
}

__global__ void add_kernel(const __nv_bfloat16* x, const __nv_bfloat16* residual, __nv_bfloat16* sum, long count) {
  const long first = 8 * (blockIdx.x * long(blockDim.x) + threadIdx.x);
  if (first + 8 <= count) {
    Pack a = get(x + first), b = get(residual + first);
    for (int i = 0; i < 4; ++i) a.pair(i) = __hadd2(a.pair(i), b.pair(i));
    put(sum + first, a);
  } else {
    for (long i = first; i < count; ++i) sum[i] = __hadd(x[i], residual[i]);
  }
}

__global__ void rmsnorm_kernel(const __nv_bfloat16* sum, const __nv_bfloat16* weight, __nv_bfloat16* out, int n,
                               float eps) {
  extern __shared__ __align__(16) __nv_bfloat16 row[];
  const long at = long(blockIdx.x) * n;
  float part = 0.0f;
  // FILL ME IN: normalize (roughly 16 lines)
  if (n % 8 == 0)
    for (int c = 8 * threadIdx.x; c < n; c += 8 * blockDim.x) {
      Pack v = get(sum + at + c);
      put(row + c, v);
      for (int i = 0; i < 4; ++i) {
        const float2 f = __bfloat1622float2(v.pair(i));
        part += f.x * f.x + f.y * f.y;
      }
    }
  else
    for (int c = threadIdx.x; c < n; c += blockDim.x) {
      row[c] = sum[at + c];
      part += __bfloat162float(row[c]) * __bfloat162float(row[c]);
    }
  scale_row(row, weight, out + at, n, part, eps);
  // END: normalize
}

__global__ void fused_kernel(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                             __nv_bfloat16* sum, __nv_bfloat16* out, int n, float eps) {
  extern __shared__ __align__(16) __nv_bfloat16 row[];
  const long at = long(blockIdx.x) * n;
  float part = 0.0f;
  // FILL ME IN: add_normalize (roughly 20 lines)
  if (n % 8 == 0)
    for (int c = 8 * threadIdx.x; c < n; c += 8 * blockDim.x) {
      Pack v = get(x + at + c);
      Pack r = get(residual + at + c);
      for (int i = 0; i < 4; ++i) {
        v.pair(i) = __hadd2(v.pair(i), r.pair(i));
        const float2 f = __bfloat1622float2(v.pair(i));
        part += f.x * f.x + f.y * f.y;
      }
      put(row + c, v);
      put(sum + at + c, v);
    }
  else
    for (int c = threadIdx.x; c < n; c += blockDim.x) {
      row[c] = sum[at + c] = __hadd(x[at + c], residual[at + c]);
      part += __bfloat162float(row[c]) * __bfloat162float(row[c]);
    }
  scale_row(row, weight, out + at, n, part, eps);
  // END: add_normalize
}

void add_rmsnorm_unfused(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                         __nv_bfloat16* sum, __nv_bfloat16* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  const long count = long(rows) * columns;
  add_kernel<<<unsigned((count + 2047) / 2048), 256>>>(x, residual, sum, count);
  cudaFuncSetAttribute(rmsnorm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  rmsnorm_kernel<<<rows, columns > 2048 ? 512 : 128, 2 * columns>>>(sum, weight, out, columns, eps);
}

void add_rmsnorm_fused(const __nv_bfloat16* x, const __nv_bfloat16* residual, const __nv_bfloat16* weight,
                       __nv_bfloat16* sum, __nv_bfloat16* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  cudaFuncSetAttribute(fused_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  fused_kernel<<<rows, columns > 2048 ? 512 : 128, 2 * columns>>>(x, residual, weight, sum, out, columns, eps);
}
