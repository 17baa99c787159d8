// Half-precision types, matrix units, asynchronous copies, printf and calls. Run by libraries_test.cc like blocks.cu.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cstdio>

extern "C" __global__ void half_math(const int* x, int* out) {
  __half2 v = __floats2half2_rn(x[threadIdx.x] * 0.5f, x[threadIdx.x] + 1.0f);
  __half2 r = __hfma2(v, __float2half2_rn(2.0f), __hmul2(v, v));
  r = __hadd2(r, __hsub2(v, h2sqrt(__floats2half2_rn(4.0f, 9.0f))));
  if (__hgt(__low2half(r), __high2half(r))) r = __lowhigh2highlow(r);
  out[threadIdx.x] = static_cast<int>(__low2float(r) * 4.0f) + static_cast<int>(__half2float(hrcp(__float2half(0.25f))));
}

extern "C" __global__ void bfloat_math(const int* x, int* out) {
  __nv_bfloat162 v = __floats2bfloat162_rn(x[threadIdx.x], 2.0f);
  __nv_bfloat162 r = __hfma2(v, __float2bfloat162_rn(2.0f), __float2bfloat162_rn(1.0f));
  r = __hmax2(r, __float2bfloat162_rn(5.0f));
  out[threadIdx.x] = static_cast<int>(__low2float(r)) * 100 + static_cast<int>(__high2float(r));
}

extern "C" __global__ void half_atomics(const int* x, int* out) {
  __shared__ __half2 sum;
  __shared__ float total;
  __shared__ unsigned long long wide;
  if (threadIdx.x == 0) sum = __float2half2_rn(0.0f), total = 0, wide = 0;
  __syncthreads();
  atomicAdd(&sum, __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(&total, static_cast<float>(x[threadIdx.x]));
  atomicMax(&wide, static_cast<unsigned long long>(x[threadIdx.x]));
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = static_cast<int>(__low2float(sum));
    out[1] = static_cast<int>(__high2float(sum));
    out[2] = static_cast<int>(total);
    out[3] = static_cast<int>(wide);
  }
}

extern "C" __global__ void matrix_product(const int* x, int* out) {
  using namespace nvcuda::wmma;
  __shared__ __half a[256], b[256];
  __shared__ float c[256];
  a[threadIdx.x] = __int2half_rn(x[threadIdx.x]);
  b[threadIdx.x] = __int2half_rn(x[255 - threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 32) {
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 1.0f);
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, b, 16);
    mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2;
    store_matrix_sync(c, fc, 16, mem_row_major);
  }
  __syncthreads();
  out[threadIdx.x] = static_cast<int>(c[threadIdx.x]);
}

extern "C" __global__ void pipeline_copy(const int* x, int* out) {
  __shared__ alignas(16) int stage[2][128];
  for (int s = 0; s < 2; ++s) {
    if (threadIdx.x < 32) __pipeline_memcpy_async(&stage[s][threadIdx.x * 4], x + s * 128 + threadIdx.x * 4, 16);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  if (threadIdx.x < 128) out[threadIdx.x] = stage[0][threadIdx.x];
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x >= 128) out[threadIdx.x] = stage[1][threadIdx.x - 128];
}

extern "C" __global__ void group_copy(const int* x, int* out) {
  namespace cg = cooperative_groups;
  __shared__ alignas(16) int stage[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage, x, sizeof stage);
  cg::wait(block);
  out[threadIdx.x] = stage[255 - threadIdx.x];
}

struct Shape {
  __device__ virtual int area(int n) const { return n; }
};
struct Square : Shape {
  __device__ int area(int n) const override { return n * n; }
};

extern "C" __global__ void virtual_calls(const int* x, int* out) {
  Shape shape;
  Square square;
  const Shape* which = threadIdx.x % 3 ? static_cast<const Shape*>(&square) : &shape;
  out[threadIdx.x] = which->area(x[threadIdx.x]);
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(const int* x, int* out) { out[threadIdx.x] = fibonacci(x[threadIdx.x] % 12); }

extern "C" __global__ void clocks(const int* x, int* out) {
  long long begin = clock64();
  int sum = 0;
  for (int i = 0; i <= x[threadIdx.x]; ++i) sum += i * x[i];
  out[threadIdx.x] = clock64() > begin ? sum : -1;
}

extern "C" __global__ void prints(const int* x, int* out) {
  if (threadIdx.x < 2)
    printf("[%d] %5.2f|%-4s|%s %lld %llu %x %c %% %p %e %g\n", threadIdx.x, x[threadIdx.x] * 0.5, "ab", "text",
           -5000000000ll, 18446744073709551615ull, 255, 'z', static_cast<void*>(nullptr), 12345.678, 0.5f);
  if (threadIdx.x == 40) printf("no arguments\n");
  out[threadIdx.x] = 1;
}
