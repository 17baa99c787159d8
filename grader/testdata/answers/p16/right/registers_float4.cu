// STYLE: 16-byte pieces where rows allow them, kept in registers
#include <cuda_runtime.h>

__device__ float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }

template <bool kGelu, class Piece, int kKept>
__global__ void pieces_kernel(const Piece* x, const Piece* gamma, const Piece* beta, Piece* out, int count, int columns,
                              float eps) {
  constexpr int kWide = sizeof(Piece) / 4;
  __shared__ float partial[2][8];
  const Piece* in = x + size_t(blockIdx.x) * count;
  float kept[kKept][kWide];
  float sum = 0, around = 0;
#pragma unroll
  for (int i = 0; i < kKept; ++i) {
    const int p = threadIdx.x + 256 * i;
    for (int j = 0; j < kWide; ++j) kept[i][j] = 0;
    if (p < count) *reinterpret_cast<Piece*>(kept[i]) = in[p];
    for (int j = 0; j < kWide; ++j) sum += kept[i][j];
  }
  const auto block = [&](float v, float* of_warp) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    float all = 0;
    for (int w = 0; w < 8; ++w) all += of_warp[w];
    return all;
  };
  const float mean = block(sum, partial[0]) / columns;
#pragma unroll
  for (int i = 0; i < kKept; ++i)
    if (threadIdx.x + 256 * i < count)
      for (int j = 0; j < kWide; ++j) around += (kept[i][j] - mean) * (kept[i][j] - mean);
  const float rstd = rsqrtf(block(around, partial[1]) / columns + eps);
#pragma unroll
  for (int i = 0; i < kKept; ++i) {
    const int p = threadIdx.x + 256 * i;
    if (p >= count) continue;
    float g[kWide], b[kWide];
    *reinterpret_cast<Piece*>(g) = gamma[p], *reinterpret_cast<Piece*>(b) = beta[p];
    for (int j = 0; j < kWide; ++j) {
      const float n = (kept[i][j] - mean) * rstd * g[j] + b[j];
      kept[i][j] = kGelu ? gelu(n) : n;
    }
    out[size_t(blockIdx.x) * count + p] = *reinterpret_cast<Piece*>(kept[i]);
  }
}

template <bool kGelu>
void run(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns, float eps) {
  if (columns % 4 == 0)
    pieces_kernel<kGelu, float4, 4><<<rows, 256>>>((const float4*)x, (const float4*)gamma, (const float4*)beta,
                                                   (float4*)out, columns / 4, columns, eps);
  else
    pieces_kernel<kGelu, float, 16><<<rows, 256>>>(x, gamma, beta, out, columns, columns, eps);
}

__global__ void gelu_kernel(const float* from, float* to, long count) {
  const long first = blockIdx.x * long(blockDim.x) + threadIdx.x;
  // FILL ME IN: apply_gelu (roughly 1 line)
  for (long i = first; i < count; i += long(gridDim.x) * blockDim.x) to[i] = gelu(from[i]);
  // END: apply_gelu
}

void layernorm_gelu_unfused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                            int columns, float eps) {
  float* normalized;
  cudaMalloc(&normalized, sizeof(float) * rows * columns);
  // FILL ME IN: layernorm (roughly 8 lines)
  run<false>(x, gamma, beta, normalized, rows, columns, eps);
  // END: layernorm
  gelu_kernel<<<100, 256>>>(normalized, out, long(rows) * columns);
  cudaFree(normalized);
}

void layernorm_gelu_fused(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                          float eps) {
  // FILL ME IN: fused (roughly 9 lines)
  run<true>(x, gamma, beta, out, rows, columns, eps);
  // END: fused
}
