// STYLE: tiles of 64 rows, dynamic shared memory, eight rows a thread, rows along x of the grid
#include <cuda_runtime.h>

// one output at a time, tiles of 16
__global__ void one_product(const float* x, const float* w, float* out, int rows, int channels, int width) {
  __shared__ float left[16][16], right[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < channels; first += 16) {
    const int a = first + threadIdx.x, b = first + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < rows && a < channels ? x[size_t(row) * channels + a] : 0.0f;
    right[threadIdx.y][threadIdx.x] = b < channels && column < width ? w[size_t(b) * width + column] : 0.0f;
    __syncthreads();
    for (int c = 0; c < 16; ++c) sum += left[threadIdx.y][c] * right[c][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < width) out[size_t(row) * width + column] = sum;
}

__global__ void __launch_bounds__(256)
    tall(const float* __restrict__ x, const float* __restrict__ wq, const float* __restrict__ wk,
         const float* __restrict__ wv, float* __restrict__ q, float* __restrict__ k, float* __restrict__ v, int rows,
         int channels, int width) {
  extern __shared__ float memory[];
  float(*xs)[33] = reinterpret_cast<float(*)[33]>(memory);              // [64][33]
  float* ws = memory + 64 * 33;                                         // [3][32][32]
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row0 = blockIdx.x * 64, column0 = blockIdx.y * 32;
  const float* const weights[3] = {wq, wk, wv};
  float* const outputs[3] = {q, k, v};
  float sum[3][8] = {};
  for (int first = 0; first < channels; first += 32) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    for (int y = warp; y < 64; y += 8)
      xs[y][lane] = row0 + y < rows && first + lane < channels ? __ldg(x + long(row0 + y) * channels + first + lane) : 0;
    for (int i = threadIdx.x; i < 3 * 32 * 32; i += 256) {
      const int c = i / 32 % 32, d = i % 32;
      ws[i] = first + c < channels && column0 + d < width
                  ? __ldg(weights[i / 1024] + long(first + c) * width + column0 + d)
                  : 0;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 31; c >= 0; --c) {
      float of_w[3];
      for (int p = 0; p < 3; ++p) of_w[p] = ws[p * 1024 + c * 32 + lane];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        for (int p = 0; p < 3; ++p) sum[p][i] += xs[warp * 8 + i][c] * of_w[p];
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  for (int p = 0; p < 3; ++p)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const long row = row0 + warp * 8 + i;
      if (row < rows && column0 + lane < width) __stcs(outputs[p] + row * width + column0 + lane, sum[p][i]);
    }
  // END: store
}

void qkv_unfused(const float* x, const float* wq, const float* wk, const float* wv,
                 float* q, float* k, float* v, int rows, int channels, int width) {
  const dim3 grid((width + 15) / 16, (rows + 15) / 16), block(16, 16);
  // FILL ME IN: three_products (roughly 3 lines)
  const float* weights[] = {wq, wk, wv};
  float* outputs[] = {q, k, v};
  for (int i = 0; i < 3; ++i) one_product<<<grid, block>>>(x, weights[i], outputs[i], rows, channels, width);
  // END: three_products
}

void qkv_fused(const float* x, const float* wq, const float* wk, const float* wv,
               float* q, float* k, float* v, int rows, int channels, int width) {
  tall<<<dim3((rows + 63) / 64, (width + 31) / 32), 256, (64 * 33 + 3 * 1024) * sizeof(float)>>>(x, wq, wk, wv, q, k, v,
                                                                                              rows, channels, width);
}
