// STYLE: floats only, one block size for all, sums in double and multiplied out: N g - S1 - xhat S2
#include <cuda_runtime.h>

template <int kKept>
__global__ void __launch_bounds__(kKept == 16 ? 1024 : 512) wide(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                     float* dx, int columns) {
  __shared__ double s1[32], s2[32];
  const int row = blockIdx.x, warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  // FILL ME IN: load_row (roughly 5 lines)
  float g[kKept], xhat[kKept];
  double a = 0, b = 0;
#pragma unroll
  for (int k = 0; k < kKept; ++k) {
    const int c = threadIdx.x + k * blockDim.x;
    g[k] = xhat[k] = 0.0f;
    if (c >= columns) continue;
    const size_t at = static_cast<size_t>(row) * columns + c;
    g[k] = gamma[c] * dy[at];
    xhat[k] = rstd[row] * (x[at] - mean[row]);
    a += g[k];
    b += static_cast<double>(g[k]) * xhat[k];
  }
  // END: load_row
  // FILL ME IN: means (roughly 5 lines)
  for (int d = 16; d; d >>= 1) {
    a += __shfl_down_sync(~0u, a, d);
    b += __shfl_down_sync(~0u, b, d);
  }
  if (lane == 0) s1[warp] = a, s2[warp] = b;
  __syncthreads();
  a = b = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) a += s1[w], b += s2[w];
  // END: means
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int k = 0; k < kKept; ++k) {
    const int c = threadIdx.x + k * blockDim.x;
    if (c < columns)
      dx[static_cast<size_t>(row) * columns + c] =
          static_cast<float>(rstd[row] / columns * (static_cast<double>(columns) * g[k] - a - xhat[k] * b));
  }
// END: store_row
}

void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  if (columns <= 1024)
    wide<4><<<rows, 256>>>(dy, x, gamma, mean, rstd, dx, columns);
  else if (columns <= 4096)
    wide<8><<<rows, 512>>>(dy, x, gamma, mean, rstd, dx, columns);
  else
    wide<16><<<rows, 1024>>>(dy, x, gamma, mean, rstd, dx, columns);
}
