// STYLE: cp.async into two stages of dynamic shared memory, the last k first
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void __launch_bounds__(1024)
    matmul_kernel(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  extern __shared__ float stages[];  // [2][2][kTile][kTile]
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const int tiles = (inner + kTile - 1) / kTile, place = y * kTile + x;
  // FILL ME IN: load_tiles (roughly 6 lines)
  const auto fetch = [&](int t) {
    if (t >= 0) {
      float* to = stages + t % 2 * 2 * kTile * kTile;
      const int a_k = t * kTile + x, b_k = t * kTile + y;
      if (row < rows && a_k < inner)
        __pipeline_memcpy_async(to + place, a + size_t(row) * inner + a_k, 4);
      else
        to[place] = 0.0f;
      if (b_k < inner && column < columns)
        __pipeline_memcpy_async(to + kTile * kTile + place, b + size_t(b_k) * columns + column, 4);
      else
        to[kTile * kTile + place] = 0.0f;
    }
    __pipeline_commit();
  };
  // END: load_tiles
  float sum = 0.0f;
  fetch(tiles - 1);
  for (int t = tiles - 1; t >= 0; --t) {
    fetch(t - 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    // FILL ME IN: multiply (roughly 2 lines)
    const float* from = stages + t % 2 * 2 * kTile * kTile;
    for (int k = 0; k < kTile; ++k) sum += from[y * kTile + k] * from[kTile * kTile + k * kTile + x];
    __syncthreads();
    // END: multiply
  }
  // FILL ME IN: store (roughly 1 line)
  if (row < rows && column < columns) c[size_t(row) * columns + column] = sum;
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  matmul_kernel<<<grid, dim3(kTile, kTile), 4 * kTile * kTile * sizeof(float)>>>(a, b, c, rows, inner, columns);
}
