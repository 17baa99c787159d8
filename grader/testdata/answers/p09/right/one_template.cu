// STYLE: Mean and rstd come from one kernel template that takes what to add up and how to finish as functors; the block's size is chosen at run time and a cooperative-groups reduction does the sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

struct ToMean {
  int n;
  __device__ float prepare(int) const { return 0.0f; }
  __device__ float term(float v, float) const { return v; }
  __device__ float finish(float total) const { return total / static_cast<float>(n); }
};

struct ToRstd {
  int n;
  float eps;
  const float* center;
  __device__ float prepare(int row) const { return center[row]; }
  __device__ float term(float v, float m) const { return (v - m) * (v - m); }
  __device__ float finish(float total) const { return 1.0f / sqrtf(total / static_cast<float>(n) + eps); }
};

template <class Job>
__global__ void fold_rows(const float* __restrict__ x, float* __restrict__ result, const Job job) {
  __shared__ float warp_totals[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int row = static_cast<int>(blockIdx.x);
  const float* p = x + static_cast<size_t>(row) * job.n;
  const float extra = job.prepare(row);
  float mine = 0.0f;
  for (int c = block.thread_rank(); c < job.n; c += block.size()) mine += job.term(p[c], extra);
  mine = cg::reduce(warp, mine, cg::plus<float>());
  if (warp.thread_rank() == 0) warp_totals[warp.meta_group_rank()] = mine;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    float v = warp.thread_rank() < warp.meta_group_size() ? warp_totals[warp.thread_rank()] : 0.0f;
    v = cg::reduce(warp, v, cg::plus<float>());
    if (warp.thread_rank() == 0) result[row] = job.finish(v);
  }
}

__global__ void affine_rows(const float* __restrict__ x, const float* __restrict__ gamma,
                            const float* __restrict__ beta, const float* __restrict__ mean,
                            const float* __restrict__ rstd, float* __restrict__ out, int n) {
  const size_t base = static_cast<size_t>(blockIdx.x) * n;
  const float m = mean[blockIdx.x], r = rstd[blockIdx.x];
#pragma unroll 4
  for (int c = threadIdx.x; c < n; c += blockDim.x) out[base + c] = (x[base + c] - m) * r * gamma[c] + beta[c];
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const int threads = columns <= 128 ? 64 : columns <= 4096 ? 256 : 512;
  fold_rows<<<rows, threads>>>(x, mean, ToMean{columns});
  fold_rows<<<rows, threads>>>(x, rstd, ToRstd{columns, eps, mean});
  affine_rows<<<rows, threads>>>(x, gamma, beta, mean, rstd, out, columns);
}
