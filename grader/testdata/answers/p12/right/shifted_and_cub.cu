// STYLE: sums around the first value, added up by cub::BlockReduce, vectors of four
#include <cub/cub.cuh>
#include <cuda_runtime.h>

struct Two {
  float s, q;
  __device__ Two operator+(const Two& o) const { return {s + o.s, q + o.q}; }
};

using Reduce = cub::BlockReduce<Two, 256>;

__device__ Two all_of(Reduce::TempStorage& storage, Two t) {
  // FILL ME IN: block_stage (roughly 6 lines)
  t = Reduce(storage).Reduce(t, [](const Two& a, const Two& b) { return a + b; });
  // END: block_stage
  return t;
}

__global__ void kernel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                       float* __restrict__ out, float* mean, float* rstd, int columns, float eps) {
  __shared__ Reduce::TempStorage storage;
  __shared__ float2 told;
  const size_t base = static_cast<size_t>(blockIdx.x) * columns;
  // FILL ME IN: statistics (roughly 9 lines)
  const float shift = x[base];
  Two t{0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += 256) {
    const float v = x[base + c] - shift;
    t.s += v;
    t.q += v * v;
  }
  t = all_of(storage, t);
  if (threadIdx.x == 0) {
    const float m = t.s / columns;
    told = {shift + m, rsqrtf((t.q - t.s * m) / columns + eps)};
    mean[blockIdx.x] = told.x;
    rstd[blockIdx.x] = told.y;
  }
  __syncthreads();
  // END: statistics
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += 256) out[base + c] = (x[base + c] - told.x) * told.y * gamma[c] + beta[c];
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd, int rows,
               int columns, float eps) {
  // FILL ME IN: launch (roughly 1 line)
  kernel<<<rows, 256>>>(x, gamma, beta, out, mean, rstd, columns, eps);
  // END: launch
}
