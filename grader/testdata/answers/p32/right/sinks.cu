// STYLE: One kernel template for both entries and the final sum, made of a source functor (rows of dy and x, or strips of the workspace) and a sink functor (atomic, workspace, answer), with a tree over the slices.
#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr int kWide = 32, kHigh = 8;

struct FromRows {
  const float *dy, *x, *mean, *rstd;
  int columns;
  __device__ float2 operator()(int row, int column) const {
    const size_t at = static_cast<size_t>(row) * columns + column;
    const float g = __ldg(dy + at);
    return {g * ((__ldg(x + at) - __ldg(mean + row)) * __ldg(rstd + row)), g};
  }
};

struct FromStrips {
  const float2* work;
  int columns;
  __device__ float2 operator()(int strip, int column) const {
    return __ldg(work + static_cast<size_t>(strip) * columns + column);
  }
};

struct AddToAnswer {
  float *dgamma, *dbeta;
  __device__ void operator()(int column, float2 v) const {
    atomicAdd(dgamma + column, v.x);
    atomicAdd(dbeta + column, v.y);
  }
};

struct ToStrips {
  float2* work;
  int columns;
  __device__ void operator()(int column, float2 v) const {
    work[static_cast<size_t>(blockIdx.y) * columns + column] = v;
  }
};

struct ToAnswer {
  float *dgamma, *dbeta;
  __device__ void operator()(int column, float2 v) const {
    dgamma[column] = v.x;
    dbeta[column] = v.y;
  }
};

template <typename Source, typename Sink>
__global__ void __launch_bounds__(kWide* kHigh)
    sum_columns(const Source source, const Sink sink, int height, int columns, int portion) {
  __shared__ float2 tree[kHigh / 2][kWide];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * kWide + tx;
  const int from = blockIdx.y * portion, to = min(from + portion, height);
  float2 sum{0.0f, 0.0f};
  if (column < columns) {
#pragma unroll 4
    for (int r = from + ty; r < to; r += kHigh) {
      const float2 v = source(r, column);
      sum.x += v.x;
      sum.y += v.y;
    }
  }
#pragma unroll
  for (int level = kHigh / 2; level > 0; level /= 2) {
    if (ty >= level && ty < 2 * level) tree[ty - level][tx] = sum;
    __syncthreads();
    if (ty < level) {
      sum.x += tree[ty][tx].x;
      sum.y += tree[ty][tx].y;
    }
    __syncthreads();
  }
  if (ty == 0 && column < columns) sink(column, sum);
}

struct Plan {
  int portion;
  dim3 grid, block{kWide, kHigh};
  Plan(int rows, int columns)
      : portion(std::max(64, (rows + 43) / 44)),
        grid((columns + kWide - 1) / kWide, (rows + portion - 1) / portion) {}
};

}  // namespace

void layernorm_backward_params_atomics(const float* dy, const float* x, const float* mean, const float* rstd,
                                       float* dgamma, float* dbeta, int rows, int columns) {
  const Plan plan(rows, columns);
  const size_t bytes = sizeof(float) * columns;
  cudaMemset(dgamma, 0, bytes);
  cudaMemset(dbeta, 0, bytes);
  sum_columns<<<plan.grid, plan.block>>>(FromRows{dy, x, mean, rstd, columns}, AddToAnswer{dgamma, dbeta}, rows,
                                         columns, plan.portion);
}

void layernorm_backward_params(const float* dy, const float* x, const float* mean, const float* rstd,
                               float* dgamma, float* dbeta, int rows, int columns) {
  const Plan plan(rows, columns);
  const int strips = plan.grid.y;
  float2* work = nullptr;
  cudaMalloc(&work, sizeof(float2) * columns * strips);
  sum_columns<<<plan.grid, plan.block>>>(FromRows{dy, x, mean, rstd, columns}, ToStrips{work, columns}, rows,
                                         columns, plan.portion);
  sum_columns<<<plan.grid.x, plan.block>>>(FromStrips{work, columns}, ToAnswer{dgamma, dbeta}, strips, columns,
                                           strips);
  cudaFree(work);
}
