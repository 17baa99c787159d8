// ENTRY: kernel
// CLASS: tail
// CAUSE: One test, whether the thread has a result, guards what it loads for others too.
// SAYS: checks?\b|guard|compar|edge
// SAYS: loads?\b|others|both
// NEVER: \brace\b|barrier
// HELD: no
// p14: multiply two matrices with tiles in shared memory.
//
//   c = a b      c[row][column] = sum over k of a[row][k] * b[k][column]      a [M,K]   b [K,N]   c [M,N]
//
// A block makes one tile of c, kTile x kTile values, a thread each. It walks along k one tile at a time: all
// of its threads together fetch a tile of `a` and a tile of `b` into shared memory, and from there each
// thread takes the kTile products of each that it needs. So one value that is fetched serves kTile threads.
//
//   load_tiles   fetch one value of each tile; 0 where the tile hangs over the edge of its matrix
//   multiply     add the products of this pair of tiles to `sum`
//   store        write the value of c, if there is one
//
//   grader p14     grader hint p14     grader lesson p14
//
// M, N and K are whatever the caller has: no multiples of anything. All of this file is yours to change, the
// launch too (a budget on bytes asks for tiles at least 16 wide); only the last function keeps its name and
// parameters.
#include <cuda_runtime.h>

constexpr int kTile = 32;

// Block (x, y) makes one tile of c, the x-th from the left and the y-th from above; thread (x, y) of it one
// value, in the same way. The bounds tell the compiler that 1024 threads must share the registers of an SM.
__global__ void __launch_bounds__(kTile* kTile)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                  int inner, int columns) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int first_k = 0; first_k < inner; first_k += kTile) {
    // Must leave rows `row` of a and columns `column` of b in the tiles, for the k from first_k on, before
    // anyone reads them.
    // FILL ME IN: load_tiles (roughly 6 lines)
    const bool mine = row < rows && column < columns;
    const int ka = first_k + threadIdx.x, kb = first_k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = mine && ka < inner ? a[static_cast<size_t>(row) * inner + ka] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = mine && kb < inner ? b[static_cast<size_t>(kb) * columns + column] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // Must add kTile products to sum, and let nobody overwrite a tile that someone still reads.
    // FILL ME IN: multiply (roughly 2 lines)
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(a_tile[threadIdx.y][k], b_tile[k][threadIdx.x], sum);
    __syncthreads();
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
