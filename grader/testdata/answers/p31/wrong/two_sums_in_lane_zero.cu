// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: After __shfl_down_sync only lane 0 has the sums, which all lanes use.
// SAYS: xor|lane 0|broadcast
// NEVER: race|barrier
// HELD: no
// p31 layernorm_backward_dx: the way back through LayerNorm, from dy, the gradient of the loss with respect
// to y, to dx, the one with respect to x.
//
//   forward    xhat[r][c] = (x[r][c] - mean[r]) * rstd[r]      y[r][c] = xhat[r][c] * gamma[c] + beta[c]
//   x, dy, dx [M,N]   gamma [N]   mean, rstd [M]: those that the forward pass saved
//
// What the internet says, means being taken over the N columns of a row:
//
//   dx = rstd * gamma * (dy - mean(dy) - xhat * mean(dy * xhat))        <-- suspect
//
// It has been published, and copied, and it is not to be trusted: some of the cases here pass with it, and
// most do not. Find out what is wrong with it (the lesson has two tests for any such formula, and a short
// way to the right one), and fill in the right one:
//
//   load_row    what a thread keeps of its columns, in registers: all loads before the first use
//   means       the two means over the row
//   store_row   dx
//
// As in p13 a group of threads has a row, a warp or a block, and a row is counted in pieces: of 16
// bytes (float4) where all rows begin at a multiple of 16 bytes, else of 4 (float). + - * work on both.
//
//   grader p31     grader hint p31     grader lesson p31
//
// All of this file is yours to change; only `layernorm_backward_dx` keeps its name and its parameters.
#include <cuda_runtime.h>

constexpr int kLanes = 32;
constexpr int kMostWarps = 32;
constexpr unsigned kFullMask = 0xffffffffu;

// What the two means are made of: the sums of g and of g * xhat, where g = dy * gamma.
struct Sums {
  float g, gx;
};

__device__ Sums reduce_warp(Sums s) {
#pragma unroll
  for (int step = kLanes / 2; step > 0; step >>= 1) {
    s.g += __shfl_down_sync(kFullMask, s.g, step);
    s.gx += __shfl_down_sync(kFullMask, s.gx, step);
  }
  return s;
}

// A block per row. The row waits in shared memory as g and xhat between the two loops; each thread comes back
// to its own columns only.
__global__ void backward_kernel(const float* __restrict__ dy, const float* __restrict__ x,
                                const float* __restrict__ gamma, const float* __restrict__ mean,
                                const float* __restrict__ rstd, float* __restrict__ dx, int columns) {
  extern __shared__ float kept[];  // [2][columns]
  __shared__ Sums of_warp[kMostWarps];
  float* g_row = kept;
  float* xhat_row = kept + columns;
  const size_t start = static_cast<size_t>(blockIdx.x) * columns;
  const float m = mean[blockIdx.x], r = rstd[blockIdx.x];

  Sums mine = {0.0f, 0.0f};
#pragma unroll 4
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float g = dy[start + c] * gamma[c];
    const float xhat = (x[start + c] - m) * r;
    g_row[c] = g;
    xhat_row[c] = xhat;
    mine.g += g;
    mine.gx += g * xhat;
  }

  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes, warps = blockDim.x / kLanes;
  mine = reduce_warp(mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  // Every warp adds up the warps' sums for itself.
  const Sums all = reduce_warp(lane < warps ? of_warp[lane] : Sums{0.0f, 0.0f});
  const float mean_g = all.g / columns, mean_gx = all.gx / columns;

  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    dx[start + c] = r * (g_row[c] - mean_g - xhat_row[c] * mean_gx);
}

// dy, x, dx: [rows, columns]; gamma: [columns]; mean, rstd: [rows]; device memory. Rows of 1 to 16384
// columns.
void layernorm_backward_dx(const float* dy, const float* x, const float* gamma, const float* mean,
                           const float* rstd, float* dx, int rows, int columns) {
  const int threads = columns <= 512 ? 128 : columns <= 2048 ? 256 : columns <= 8192 ? 512 : 1024;
  const int bytes = 2 * columns * static_cast<int>(sizeof(float));  // 128 KiB for the longest rows
  cudaFuncSetAttribute(backward_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  backward_kernel<<<rows, threads, bytes>>>(dy, x, gamma, mean, rstd, dx, columns);
}
