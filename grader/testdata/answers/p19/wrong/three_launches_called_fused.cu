// ENTRY: fused
// CLASS: over-budget
// CAUSE: The fused function makes three launches, one for each projection.
// SAYS: launch|kernels
// SAYS: three|3|times|enough
// NEVER: \brace\b|bounds|barrier
// HELD: yes
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

__global__ void unused(float* q) {
  // FILL ME IN: load_tiles (roughly 5 lines)
  if (threadIdx.x > 0) return;
  // END: load_tiles
  // FILL ME IN: multiply (roughly 7 lines)
  q[0] = 0;
  // END: multiply
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
  const dim3 grid((width + 15) / 16, (rows + 15) / 16), block(16, 16);
  // FILL ME IN: store (roughly 8 lines)
  one_product<<<grid, block>>>(x, wq, q, rows, channels, width);
  one_product<<<grid, block>>>(x, wk, k, rows, channels, width);
  one_product<<<grid, block>>>(x, wv, v, rows, channels, width);
  // END: store
}
