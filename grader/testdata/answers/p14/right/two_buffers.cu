// ENTRY: kernel
// STYLE: two pairs of tiles that take turns, so that one barrier for each step is enough
#include <cuda_runtime.h>

constexpr int kTile = 32;

// Block (x, y) makes one tile of c, the x-th from the left and the y-th from above; thread (x, y) of it one
// value, in the same way. The bounds tell the compiler that 1024 threads must share the registers of an SM.
__global__ void __launch_bounds__(kTile* kTile)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                  int inner, int columns) {
  __shared__ float a_tile[2][kTile][kTile], b_tile[2][kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int first_k = 0; first_k < inner; first_k += kTile) {
    // Must leave rows `row` of a and columns `column` of b in the tiles, for the k from first_k on, before
    // anyone reads them.
    // FILL ME IN: load_tiles (roughly 6 lines)
    // Who still multiplies is in the other pair; nobody is two steps ahead, for a barrier is in each step.
    float(*a_now)[kTile] = a_tile[first_k / kTile % 2];
    float(*b_now)[kTile] = b_tile[first_k / kTile % 2];
    const int a_k = first_k + threadIdx.x, b_k = first_k + threadIdx.y;
    a_now[threadIdx.y][threadIdx.x] =
        row < rows && a_k < inner ? a[static_cast<size_t>(row) * inner + a_k] : 0.0f;
    b_now[threadIdx.y][threadIdx.x] =
        b_k < inner && column < columns ? b[static_cast<size_t>(b_k) * columns + column] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // Must add kTile products to sum, and let nobody overwrite a tile that someone still reads.
    // FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; ++k) sum += a_now[threadIdx.y][k] * b_now[k][threadIdx.x];
    // END: multiply
  }
  // FILL ME IN: store (roughly 1 line)
  if (row < rows && column < columns) c[static_cast<size_t>(row) * columns + column] = sum;
  // END: store
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  matmul_kernel<<<tiles, dim3(kTile, kTile)>>>(a, b, c, rows, inner, columns);
}
