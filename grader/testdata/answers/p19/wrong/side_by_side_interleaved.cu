// ENTRY: fused
// CLASS: index
// CAUSE: The three tiles of weights are written side by side, each in 32 columns of its own (p * 32 + x), and read as if they were interleaved (3 * x + p), so that every sum gets weights of other columns and other projections.
// SAYS: weight|w_tile|interleav|tile|index|column|\bw[qkv]\b|3 \* |\bp\b
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

__global__ void __launch_bounds__(kTile* kStep)
    qkv_kernel(const float* __restrict__ x, const float* __restrict__ wq, const float* __restrict__ wk,
               const float* __restrict__ wv, float* __restrict__ q, float* __restrict__ k,
               float* __restrict__ v, int rows, int channels, int width) {
  __shared__ float x_tile[kTile][kTile];
  __shared__ float w_tile[kTile][3 * kTile];  // wq, wk and wv side by side
  const int first_row = blockIdx.y * kTile, column = blockIdx.x * kTile + threadIdx.x;
  float sum[kEach][3] = {};

  for (int first = 0; first < channels; first += kTile) {
    for (int y = threadIdx.y; y < kTile; y += kStep) {
      const int row = first_row + y, c = first + threadIdx.x;
      x_tile[y][threadIdx.x] =
          row < rows && c < channels ? x[static_cast<size_t>(row) * channels + c] : 0.0f;
      const bool inside = first + y < channels && column < width;
      const size_t at = static_cast<size_t>(first + y) * width + column;
      w_tile[y][0 * kTile + threadIdx.x] = inside ? wq[at] : 0.0f;
      w_tile[y][1 * kTile + threadIdx.x] = inside ? wk[at] : 0.0f;
      w_tile[y][2 * kTile + threadIdx.x] = inside ? wv[at] : 0.0f;
    }
    __syncthreads();
    for (int c = 0; c < kTile; ++c) {
      float w[3];
#pragma unroll
      for (int p = 0; p < 3; ++p) w[p] = w_tile[c][3 * threadIdx.x + p];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const float of_x = x_tile[threadIdx.y + i * kStep][c];
#pragma unroll
        for (int p = 0; p < 3; ++p) sum[i][p] += of_x * w[p];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row >= rows || column >= width) continue;
    const size_t at = static_cast<size_t>(row) * width + column;
    q[at] = sum[i][0];
    k[at] = sum[i][1];
    v[at] = sum[i][2];
  }
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
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile), threads(kTile, kStep);
  qkv_kernel<<<tiles, threads>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
