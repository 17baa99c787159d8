// STYLE: tiles of 64 x 64 x 16, sixteen results a thread in registers, both tiles kept along k
#include <cuda_runtime.h>

constexpr int kWide = 64, kDeep = 16, kEach = 4, kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows, int inner,
            int columns) {
  __shared__ float a_tile[kDeep][kWide + 1], b_tile[kDeep][kWide];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const long first_row = long(blockIdx.y) * kWide, first_column = long(blockIdx.x) * kWide;
  float sum[kEach][kEach] = {};
  for (int first_k = 0; first_k < inner; first_k += kDeep) {
    // FILL ME IN: load_tiles (roughly 6 lines)
    for (int i = threadIdx.x; i < kWide * kDeep; i += kThreads) {
      const int k = i % kDeep, r = i / kDeep;
      a_tile[k][r] = first_row + r < rows && first_k + k < inner ? a[(first_row + r) * inner + first_k + k] : 0.0f;
    }
    for (int i = threadIdx.x; i < kWide * kDeep; i += kThreads) {
      const int col = i % kWide, k = i / kWide;
      b_tile[k][col] =
          first_column + col < columns && first_k + k < inner ? b[long(first_k + k) * columns + first_column + col] : 0.0f;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kDeep; ++k)
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sum[i][j] += a_tile[k][y * kEach + i] * b_tile[k][x + 16 * j];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 1 line)
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const long row = first_row + y * kEach + i, column = first_column + x + 16 * j;
      if (row < rows && column < columns) c[row * columns + column] = sum[i][j];
    }
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  product<<<dim3((columns + kWide - 1) / kWide, (rows + kWide - 1) / kWide), kThreads>>>(a, b, c, rows, inner, columns);
}
