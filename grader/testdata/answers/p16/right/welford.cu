// STYLE: Welford in one pass, merged over lanes and warps; 128 threads
#include <cuda_runtime.h>

__device__ float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }

struct Moments {
  float count, mean, squares;
};

__device__ Moments merged(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0) return a;
  const float delta = b.mean - a.mean, share = b.count / count;
  return {count, a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share};
}

template <bool kGelu>
__global__ void welford(const float* x, const float* gamma, const float* beta, float* out, int columns, float eps) {
  __shared__ Moments of_warp[4];
  const float* in = x + size_t(blockIdx.x) * columns;
  Moments mine{0, 0, 0};
  for (int c = threadIdx.x; c < columns; c += 128) {
    mine.count += 1;
    const float delta = in[c] - mine.mean;
    mine.mean += delta / mine.count;
    mine.squares += delta * (in[c] - mine.mean);
  }
  for (int d = 16; d > 0; d /= 2)
    mine = merged(mine, {__shfl_down_sync(~0u, mine.count, d), __shfl_down_sync(~0u, mine.mean, d),
                         __shfl_down_sync(~0u, mine.squares, d)});
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  const Moments all = merged(merged(of_warp[0], of_warp[1]), merged(of_warp[2], of_warp[3]));
  const float rstd = 1.0f / sqrtf(all.squares / columns + eps);
  for (int c = threadIdx.x; c < columns; c += 128) {
    const float n = (in[c] - all.mean) * rstd * gamma[c] + beta[c];
    out[size_t(blockIdx.x) * columns + c] = kGelu ? gelu(n) : n;
  }
}

template <bool kGelu>
void run(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns, float eps) {
  welford<kGelu><<<rows, 128>>>(x, gamma, beta, out, columns, eps);
}

__global__ void gelu_kernel(const float* from, float* to, long count) {
  const long first = blockIdx.x * long(blockDim.x) + threadIdx.x;
  // FILL ME IN: apply_gelu (roughly 1 line)
  for (long i = first; i < count; i += long(gridDim.x) * blockDim.x) to[i] = gelu(from[i]);
  // END: apply_gelu
}

void layernorm_gelu_unfused(const float* x, const float* gamma, const float* beta, float* out, int rows,
                            int columns, float eps) {
  float* normalized;
  cudaMalloc(&normalized, sizeof(float) * rows * columns);
  // FILL ME IN: layernorm (roughly 8 lines)
  run<false>(x, gamma, beta, normalized, rows, columns, eps);
  // END: layernorm
  gelu_kernel<<<100, 256>>>(normalized, out, long(rows) * columns);
  cudaFree(normalized);
}

void layernorm_gelu_fused(const float* x, const float* gamma, const float* beta, float* out, int rows, int columns,
                          float eps) {
  // FILL ME IN: fused (roughly 9 lines)
  run<true>(x, gamma, beta, out, rows, columns, eps);
  // END: fused
}
