// ENTRY: atomics
// CLASS: index
// CAUSE: The loop is unrolled by hand over four rows, but mean and rstd are loaded once, for the first of the four, and used for all of them.
// SAYS: mean|rstd
// NEVER: \brace\b|every answer is right[.;]
// HELD: no
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kTileColumns = 32;
constexpr int kTileRows = 8;
constexpr int kBlockSize = kTileColumns * kTileRows;

struct Grad {
  float gamma, beta;
  __device__ Grad& operator+=(const Grad& o) {
    gamma += o.gamma;
    beta += o.beta;
    return *this;
  }
};

__device__ Grad tile_total(Grad g, int tx, int ty) {
  __shared__ Grad pool[kTileRows][kTileColumns];
  pool[ty][tx] = g;
  for (int half = kTileRows / 2; half > 0; half /= 2) {
    __syncthreads();
    if (ty < half) pool[ty][tx] += pool[ty + half][tx];
  }
  return pool[ty][tx];
}

__device__ Grad walk_rows(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ mean,
                          const float* __restrict__ rstd, int begin, int end, int columns, int column, int ty) {
  Grad g{};
  int r = begin + ty;
  for (; r + 3 * kTileRows < end; r += 4 * kTileRows) {
    float d[4], v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const size_t at = static_cast<size_t>(r + k * kTileRows) * columns + column;
      d[k] = dy[at];
      v[k] = x[at];
    }
    const float m = mean[r], s = rstd[r];
#pragma unroll
    for (int k = 0; k < 4; ++k) g += Grad{d[k] * (v[k] - m) * s, d[k]};
  }
  for (; r < end; r += kTileRows) {
    const size_t at = static_cast<size_t>(r) * columns + column;
    g += Grad{dy[at] * (x[at] - mean[r]) * rstd[r], dy[at]};
  }
  return g;
}

template <bool kAtomic>
__global__ void __launch_bounds__(kBlockSize)
    params_kernel(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ mean,
                  const float* __restrict__ rstd, float* to_gamma, float* to_beta, int rows, int columns,
                  int strip_rows) {
  const int tx = threadIdx.x % kTileColumns, ty = threadIdx.x / kTileColumns;
  const int column = blockIdx.x * kTileColumns + tx;
  const int begin = blockIdx.y * strip_rows, end = min(begin + strip_rows, rows);
  Grad g{};
  if (column < columns) g = walk_rows(dy, x, mean, rstd, begin, end, columns, column, ty);
  g = tile_total(g, tx, ty);
  if (ty > 0 || column >= columns) return;
  if constexpr (kAtomic) {
    atomicAdd(to_gamma + column, g.gamma);
    atomicAdd(to_beta + column, g.beta);
  } else {
    const size_t at = static_cast<size_t>(blockIdx.y) * columns + column;
    to_gamma[at] = g.gamma;
    to_beta[at] = g.beta;
  }
}

__global__ void __launch_bounds__(kBlockSize)
    collect_kernel(const float* __restrict__ gammas, const float* __restrict__ betas, float* __restrict__ dgamma,
                   float* __restrict__ dbeta, int strips, int columns) {
  const int tx = threadIdx.x % kTileColumns, ty = threadIdx.x / kTileColumns;
  const int column = blockIdx.x * kTileColumns + tx;
  Grad g{};
  if (column < columns)
    for (int s = ty; s < strips; s += kTileRows)
      g += Grad{gammas[static_cast<size_t>(s) * columns + column], betas[static_cast<size_t>(s) * columns + column]};
  g = tile_total(g, tx, ty);
  if (ty == 0 && column < columns) {
    dgamma[column] = g.gamma;
    dbeta[column] = g.beta;
  }
}

static dim3 cover(int rows, int columns, int strip_rows) {
  return dim3((columns + kTileColumns - 1) / kTileColumns, (rows + strip_rows - 1) / strip_rows);
}

void layernorm_backward_params_atomics(const float* dy, const float* x, const float* mean, const float* rstd,
                                       float* dgamma, float* dbeta, int rows, int columns) {
  const int strip_rows = std::max(64, (rows + 43) / 44);
  cudaMemsetAsync(dgamma, 0, columns * sizeof *dgamma);
  cudaMemsetAsync(dbeta, 0, columns * sizeof *dbeta);
  params_kernel<true><<<cover(rows, columns, strip_rows), kBlockSize>>>(dy, x, mean, rstd, dgamma, dbeta, rows,
                                                                        columns, strip_rows);
}

void layernorm_backward_params(const float* dy, const float* x, const float* mean, const float* rstd,
                               float* dgamma, float* dbeta, int rows, int columns) {
  const int strip_rows = std::max(64, (rows + 43) / 44);
  const dim3 grid = cover(rows, columns, strip_rows);
  const size_t half = static_cast<size_t>(grid.y) * columns;
  float* work = nullptr;
  cudaMalloc(&work, 2 * half * sizeof(float));
  params_kernel<false><<<grid, kBlockSize>>>(dy, x, mean, rstd, work, work + half, rows, columns, strip_rows);
  collect_kernel<<<grid.x, kBlockSize>>>(work, work + half, dgamma, dbeta, grid.y, columns);
  cudaFree(work);
}
