// ENTRY: kernel
// CLASS: over-budget
// CAUSE: g and u go through memory: three launches and two tensors in between.
// SAYS: launch|allocat|intermediate
// SAYS: \b3\b|three|between|own
// NEVER: wrong (answer|result|value)
// HELD: yes
#include <cuda_runtime.h>

// FILL ME IN: kernel (roughly 55 lines)
constexpr int kSide = 16, kEach = 4, kTile = 64, kDepth = 16, kPitch = 66;
__device__ void load_tile(float (*tile)[kPitch], const float* matrix, int first_row, int first_h, int rows, int hidden) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int element = (i * kSide + threadIdx.y) * kSide + threadIdx.x;
    const int row = first_row + element / kDepth, h = first_h + element % kDepth;
    tile[element % kDepth][element / kDepth] = row < rows && h < hidden ? matrix[(size_t)row * hidden + h] : 0.0f;
  }
}
__global__ void __launch_bounds__(256) product_kernel(const float* __restrict__ x, const float* __restrict__ w,
                                                      float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ float xs[kDepth][kPitch], ws[kDepth][kPitch];
  const int first_row = blockIdx.y * kTile, first_f = blockIdx.x * kTile;
  float sum[kEach][kEach] = {};
  for (int first_h = 0; first_h < hidden; first_h += kDepth) {
    load_tile(xs, x, first_row, first_h, rows, hidden);
    load_tile(ws, w, first_f, first_h, width, hidden);
    __syncthreads();
#pragma unroll
    for (int h = 0; h < kDepth; ++h)
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += xs[h][threadIdx.y + kSide * i] * ws[h][threadIdx.x + kSide * j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i)
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int row = first_row + threadIdx.y + kSide * i, f = first_f + threadIdx.x + kSide * j;
      if (row < rows && f < width) out[(size_t)row * width + f] = sum[i][j];
    }
}
__global__ void gate_kernel(const float* __restrict__ g, const float* __restrict__ u, float* __restrict__ out, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = g[i] / (1.0f + expf(-g[i])) * u[i];
}
// END: kernel

void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
// FILL ME IN: launch (roughly 3 lines)
  float *g, *u;
  const size_t count = (size_t)rows * width;
  cudaMalloc(&g, count * sizeof(float));
  cudaMalloc(&u, count * sizeof(float));
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile), block(kSide, kSide);
  product_kernel<<<tiles, block>>>(x, gate, g, rows, hidden, width);
  product_kernel<<<tiles, block>>>(x, up, u, rows, hidden, width);
  gate_kernel<<<(count + 255) / 256, 256>>>(g, u, out, count);
  cudaFree(g);
  cudaFree(u);
// END: launch
}
