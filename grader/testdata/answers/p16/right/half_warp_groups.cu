// STYLE: cooperative groups: reduce over tiles of 16, two rows a warp
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

__device__ float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }

namespace cg = cooperative_groups;

template <bool kGelu>
__global__ void half_warps(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                           float eps) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  const float* in = x + size_t(row) * columns;
  float sum = 0, around = 0;
  for (int c = tile.thread_rank(); c < columns; c += 16) sum += in[c];
  const float mean = cg::reduce(tile, sum, cg::plus<float>()) / float(columns);
  for (int c = tile.thread_rank(); c < columns; c += 16) around += (in[c] - mean) * (in[c] - mean);
  const float rstd = rsqrtf(cg::reduce(tile, around, cg::plus<float>()) / float(columns) + eps);
  for (int c = tile.thread_rank(); c < columns; c += 16) {
    const float n = (in[c] - mean) * (rstd * gamma[c]) + beta[c];
    out[size_t(row) * columns + c] = kGelu ? gelu(n) : n;
  }
}

template <bool kGelu>
void run(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns, float eps) {
  half_warps<kGelu><<<(rows + 3) / 4, 64>>>(x, gamma, beta, out, rows, columns, eps);
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
