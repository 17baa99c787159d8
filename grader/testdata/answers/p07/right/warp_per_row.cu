// STYLE: a warp for each row: no shared memory at all, float4 where rows are aligned
#include <cuda_runtime.h>

__device__ float warp_sum(float value) {
  // FILL ME IN: warp_sum (roughly 2 lines)
  for (int d = 1; d < 32; d += d) value += __shfl_down_sync(0xffffffff, value, d);
  // END: warp_sum
  return value;
}

__global__ void sums(const float* x, float* out, int rows, int columns) {
  const long row = blockIdx.x * (long)blockDim.y + threadIdx.y;
  if (row >= rows) return;
  // FILL ME IN: block_sum (roughly 5 lines)
  const float* r = x + row * columns;
  float sum = 0;
  if (columns % 4 == 0) {
    for (int i = threadIdx.x; i < columns / 4; i += 32) {
      const float4 v = __ldcs(reinterpret_cast<const float4*>(r) + i);
      sum += (v.x + v.y) + (v.z + v.w);
    }
  } else {
    for (int i = threadIdx.x; i < columns; i += 32) sum += r[i];
  }
  sum = warp_sum(sum);
  if (threadIdx.x == 0) out[row] = sum;
  // END: block_sum
}

void row_sums(const float* x, float* out, int rows, int columns) {
  const dim3 block(32, 8);
  sums<<<(rows + 7) / 8, block>>>(x, out, rows, columns);
}
