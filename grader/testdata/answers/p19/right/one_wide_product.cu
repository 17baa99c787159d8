// STYLE: one launch, the projection is the third axis of the grid, pointers in a struct
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

struct Three {
  const float* w[3];
  float* out[3];
};

// [C,3D] without being copied together: a block's columns belong to one of the three
__global__ void wide(const float* x, Three of, int rows, int channels, int width) {
  __shared__ float xs[32][32], ws[32][32];
  const int which = blockIdx.z, tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * 32, column = blockIdx.x * 32 + tx;
  float sum[4] = {0, 0, 0, 0};
  for (int first = 0; first < channels; first += 32) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    for (int y = ty; y < 32; y += 8) {
      xs[y][tx] = row0 + y < rows && first + tx < channels ? x[size_t(row0 + y) * channels + first + tx] : 0.0f;
      ws[y][tx] = first + y < channels && column < width ? of.w[which][size_t(first + y) * width + column] : 0.0f;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < 32; ++c)
      for (int i = 0; i < 4; ++i) sum[i] += xs[ty + 8 * i][c] * ws[c][tx];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < 4; ++i)
    if (row0 + ty + 8 * i < rows && column < width)
      of.out[which][size_t(row0 + ty + 8 * i) * width + column] = sum[i];
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
  wide<<<dim3((width + 31) / 32, (rows + 31) / 32, 3), dim3(32, 8)>>>(x, Three{{wq, wk, wv}, {q, k, v}}, rows, channels,
                                                                     width);
}
