// ENTRY: fused
// CLASS: tail
// CAUSE: The grid is rounded down: partial tiles at the right and at the bottom are made by no block.
// SAYS: rows?|columns?|blocks?|grid|tiles?|\bq\b
// SAYS: never written|nobody|not written|only|rounded|whole|last|unwritten
// NEVER: \brace\b|barrier|transpos
// HELD: no
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
  float sum[3] = {};
  for (int first = 0; first < channels; first += 16) {
    // FILL ME IN: load_tiles (roughly 5 lines)
    xs[ty][tx] = row < rows && first + tx < channels ? x[row * channels + first + tx] : 0.0f;
    bool inside = first + ty < channels && column < width;
    int from = (first + ty) * width + column;
    ws[0][ty][tx] = inside ? wq[from] : 0.0f;
    ws[1][ty][tx] = inside ? wk[from] : 0.0f;
    ws[2][ty][tx] = inside ? wv[from] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < 16; ++c)
      for (int p = 0; p < 3; ++p) sum[p] += xs[ty][c] * ws[p][c][tx];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 8 lines)
  if (row < rows && column < width) {
    q[row * width + column] = sum[0];
    k[row * width + column] = sum[1];
    v[row * width + column] = sum[2];
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
  three<<<dim3(max(width / 16, 1), max(rows / 16, 1)), dim3(16, 16)>>>(x, wq, wk, wv, q, k, v, rows, channels, width);
}
