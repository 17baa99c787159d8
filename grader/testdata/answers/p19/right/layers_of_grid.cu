// STYLE: one launch whose grid has three layers, one for each projection; a block picks its weights and its output by blockIdx.z
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kStep = 8;
constexpr int kEach = kTile / kStep;

// One tile of out [M,D] = x [M,C] w [C,D].
__device__ void product_tile(const float* __restrict__ x, const float* __restrict__ w,
                             float* __restrict__ out, int first_row, int first_column, int rows, int channels,
                             int width) {
  __shared__ float xs[kTile][kTile], ws[kTile][kTile];
  const int column = first_column + threadIdx.x;
  float sum[kEach] = {};
  for (int first = 0; first < channels; first += kTile) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int y = threadIdx.y + i * kStep;
      const int row = first_row + y, xc = first + threadIdx.x, wc = first + y;
      xs[y][threadIdx.x] = row < rows && xc < channels ? x[static_cast<size_t>(row) * channels + xc] : 0.0f;
      ws[y][threadIdx.x] = wc < channels && column < width ? w[static_cast<size_t>(wc) * width + column] : 0.0f;
    }
    __syncthreads();
    for (int c = 0; c < kTile; ++c) {
      const float of_w = ws[c][threadIdx.x];
#pragma unroll
      for (int i = 0; i < kEach; ++i) sum[i] += xs[threadIdx.y + i * kStep][c] * of_w;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row < rows && column < width) out[static_cast<size_t>(row) * width + column] = sum[i];
  }
}

__global__ void __launch_bounds__(kTile* kStep)
    product_kernel(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ out, int rows,
                   int channels, int width) {
  product_tile(x, w, out, blockIdx.y * kTile, blockIdx.x * kTile, rows, channels, width);
}

struct Projection {
  const float* weights;
  float* result;
};

struct Projections {
  Projection of[3];
};

__global__ void __launch_bounds__(kTile* kStep)
    qkv_kernel(const float* __restrict__ x, Projections all, int rows, int channels, int width) {
  const Projection mine = blockIdx.z == 0 ? all.of[0] : blockIdx.z == 1 ? all.of[1] : all.of[2];
  product_tile(x, mine.weights, mine.result, blockIdx.y * kTile, blockIdx.x * kTile, rows, channels, width);
}

void qkv_unfused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
                 float* v, int rows, int channels, int width) {
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile), threads(kTile, kStep);
  product_kernel<<<tiles, threads>>>(x, wq, q, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wk, k, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wv, v, rows, channels, width);
}

void qkv_fused(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k,
               float* v, int rows, int channels, int width) {
  const Projections all = {{{wq, q}, {wk, k}, {wv, v}}};
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile, 3);
  qkv_kernel<<<tiles, dim3(kTile, kStep)>>>(x, all, rows, channels, width);
}
