// STYLE: 16 lanes a row with a mask of their own, inline PTX for the root
#include <cuda_runtime.h>

__global__ void rmsnorm_kernel(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  const int lane = threadIdx.x % 16, row = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
  if (row >= rows) return;
  const unsigned mask = 0xffffu << (threadIdx.x % 32 / 16 * 16);
  const float* in = x + static_cast<size_t>(row) * columns;
  float* to = out + static_cast<size_t>(row) * columns;
  // FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 16) sum += in[c] * in[c];
  for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(mask, sum, d, 16);
  float factor;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(factor) : "f"(sum / columns + eps));
  // END: row_statistics
  // FILL ME IN: scale_row (roughly 3 lines)
  for (int c = lane; c < columns; c += 16) to[c] = weight[c] * (in[c] * factor);
  // END: scale_row
}

void rmsnorm(const float* x, const float* weight, float* out, int rows, int columns, float eps) {
  if (rows == 0 || columns == 0) return;
  // FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<(rows * 16 + 127) / 128, 128>>>(x, weight, out, rows, columns, eps);
  // END: launch
}
