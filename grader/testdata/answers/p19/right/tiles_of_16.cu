// STYLE: tiles of 16, one result of each in a thread, a float3 for the sums
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

__global__ void three(const float* x, const float* wq, const float* wk, const float* wv, float* q, float* k, float* v,
                      int rows, int channels, int width) {
  __shared__ float xs[16][17], ws[3][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < channels; first += 16) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    xs[ty][tx] = row < rows && first + tx < channels ? x[size_t(row) * channels + first + tx] : 0.0f;
    const bool inside = first + ty < channels && column < width;
    const size_t from = size_t(first + ty) * width + column;
    ws[0][ty][tx] = inside ? wq[from] : 0.0f;
    ws[1][ty][tx] = inside ? wk[from] : 0.0f;
    ws[2][ty][tx] = inside ? wv[from] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
#pragma unroll
    for (int c = 0; c < 16; ++c) {
      const float of_x = xs[ty][c];
      sum.x = fmaf(of_x, ws[0][c][tx], sum.x);
      sum.y = fmaf(of_x, ws[1][c][tx], sum.y);
      sum.z = fmaf(of_x, ws[2][c][tx], sum.z);
    }
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  if (row >= rows || column >= width) return;
  q[size_t(row) * width + column] = sum.x;
  k[size_t(row) * width + column] = sum.y;
  v[size_t(row) * width + column] = sum.z;
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
  three<<<dim3((width + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
