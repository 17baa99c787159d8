// ENTRY: fused
// CLASS: host-only
// CAUSE: the fused host function takes the float4 path when M * N is a multiple of 4, where N itself has to be one: otherwise a quad lies across two rows and the bias is read as a misaligned float4, or past its end.
// SAYS: host function chooses
// SAYS: elementwise
// NEVER: allocat
// HELD: no
#include <cuda_runtime.h>

#include <cstdint>

#define LAUNCH_THREADS 256

__device__ inline float gelu_of(float v) {
  const float u = v + 0.044715f * v * v * v;
  return 0.5f * v * (1.f + tanhf(0.7978845608f * u));
}

template <bool Activate>
__global__ void elementwise(const float* __restrict__ in, const float* __restrict__ bias, float* __restrict__ res,
                            int64_t count, int n) {
  const int64_t i = int64_t(blockIdx.x) * LAUNCH_THREADS + threadIdx.x;
  if (i >= count) return;
  float v = in[i];
  if (bias != nullptr) v += bias[i % n];
  res[i] = Activate ? gelu_of(v) : v;
}

__global__ void elementwise_x4(const float4* __restrict__ in, const float* __restrict__ bias, float4* __restrict__ res,
                               int64_t quads, int n) {
  const int64_t q = int64_t(blockIdx.x) * LAUNCH_THREADS + threadIdx.x;
  if (q >= quads) return;
  const int c = int(q * 4 % n);
  const float4 b = *reinterpret_cast<const float4*>(bias + c);
  float4 v = in[q];
  v.x = gelu_of(v.x + b.x);
  v.y = gelu_of(v.y + b.y);
  v.z = gelu_of(v.z + b.z);
  v.w = gelu_of(v.w + b.w);
  res[q] = v;
}

static unsigned grid_for(int64_t items) { return unsigned((items + LAUNCH_THREADS - 1) / LAUNCH_THREADS); }

void bias_gelu_unfused(const float* x, const float* bias, float* out, int rows, int columns) {
  const int64_t count = int64_t(rows) * columns;
  float* scratch;
  cudaMalloc(&scratch, count * sizeof(float));
  elementwise<false><<<grid_for(count), LAUNCH_THREADS>>>(x, bias, scratch, count, columns);
  elementwise<true><<<grid_for(count), LAUNCH_THREADS>>>(scratch, nullptr, out, count, columns);
  cudaFree(scratch);
}

void bias_gelu_fused(const float* x, const float* bias, float* out, int rows, int columns) {
  const int64_t count = int64_t(rows) * columns;
  const bool aligned = ((uintptr_t(x) | uintptr_t(bias) | uintptr_t(out)) & 15) == 0;
  if (aligned && count % 4 == 0)
    elementwise_x4<<<grid_for(count / 4), LAUNCH_THREADS>>>(reinterpret_cast<const float4*>(x), bias,
                                                            reinterpret_cast<float4*>(out), count / 4, columns);
  else
    elementwise<true><<<grid_for(count), LAUNCH_THREADS>>>(x, bias, out, count, columns);
}
