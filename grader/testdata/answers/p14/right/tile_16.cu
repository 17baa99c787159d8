// STYLE: tiles of 16, two for a warp's rows, unsigned indices
#include <cuda_runtime.h>

constexpr unsigned kSide = 16;

__global__ void product(const float* a, const float* b, float* c, unsigned m, unsigned k, unsigned n) {
  __shared__ float from_a[kSide][kSide + 1];
  __shared__ float from_b[kSide][kSide + 1];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * kSide + y, column = blockIdx.x * kSide + x;
  float total = 0;
  // FILL ME IN: load_tiles (roughly 6 lines)
  for (unsigned tile = 0; tile < (k + kSide - 1) / kSide; ++tile) {
    from_a[y][x] = 0;
    from_b[y][x] = 0;
    if (row < m && tile * kSide + x < k) from_a[y][x] = a[size_t(row) * k + tile * kSide + x];
    if (column < n && tile * kSide + y < k) from_b[y][x] = b[size_t(tile * kSide + y) * n + column];
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 2 lines)
#pragma unroll 4
    for (unsigned i = 0; i < kSide; ++i) total = fmaf(from_a[y][i], from_b[i][x], total);
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 1 line)
  if (row < m && column < n) c[size_t(row) * n + column] = total;
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 block(kSide, kSide), grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  product<<<grid, block>>>(a, b, c, rows, inner, columns);
}
