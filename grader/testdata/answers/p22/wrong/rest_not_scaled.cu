// ENTRY: kernel
// CLASS: tail
// CAUSE: The second pass has no loop for the columns behind the last whole float4.
// SAYS: never written
// SAYS: multiple of 4
// NEVER: % 15|\brace\b
// HELD: no
// p22: RMSNorm, a block for each row, float4 wherever the row starts on a boundary of 16 bytes.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlock = 256;

__device__ bool boundary(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

__global__ void __launch_bounds__(kBlock)
    rmsnorm_quads(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out, int columns,
                  float eps) {
  __shared__ float of_warp[kBlock / 32];
  const size_t base = static_cast<size_t>(blockIdx.x) * columns;
  const float* in = x + base;
  float* to = out + base;
  const bool wide = boundary(in) && boundary(to) && boundary(weight);
  const int quads = wide ? columns / 4 : 0;
  const float4* in4 = reinterpret_cast<const float4*>(in);

  float s = 0.0f;
  for (int q = threadIdx.x; q < quads; q += kBlock) {
    const float4 v = in4[q];
    s += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int c = 4 * quads + threadIdx.x; c < columns; c += kBlock) s += in[c] * in[c];

  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = s;
  __syncthreads();
  float total = 0.0f;
  for (int w = 0; w < kBlock / 32; ++w) total += of_warp[w];
  const float scale = rsqrtf(total / columns + eps);

  if (wide) {
    const float4* w4 = reinterpret_cast<const float4*>(weight);
    float4* to4 = reinterpret_cast<float4*>(to);
    for (int q = threadIdx.x; q < quads; q += kBlock) {
      const float4 v = in4[q], w = w4[q];
      to4[q] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += kBlock) to[c] = in[c] * scale * weight[c];
  }
}

void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  rmsnorm_quads<<<rows, kBlock>>>(x, weight, out, columns, eps);
}
