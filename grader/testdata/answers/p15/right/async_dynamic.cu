// STYLE: cp.async of single floats into dynamic shared memory, 1024 threads, a pitch of 33 by hand
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

template <int kSide>
__global__ void __launch_bounds__(kSide* kSide) turn(const float* in, float* out, int rows, int columns) {
  // FILL ME IN: tile (roughly 1 line)
  extern __shared__ float tile[];
  // END: tile
  const int x = threadIdx.x, y = threadIdx.y;
  // FILL ME IN: read_rows (roughly 7 lines)
  int row = blockIdx.y * kSide + y, column = blockIdx.x * kSide + x;
  if (row < rows && column < columns)
    __pipeline_memcpy_async(tile + y * (kSide + 1) + x, in + size_t(row) * columns + column, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  row = blockIdx.x * kSide + y, column = blockIdx.y * kSide + x;
  if (row < columns && column < rows) out[size_t(row) * rows + column] = tile[x * (kSide + 1) + y];
  // END: write_rows
}

void transpose(const float* in, float* out, int rows, int columns) {
  turn<32><<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32), 32 * 33 * sizeof(float)>>>(in, out, rows, columns);
}
