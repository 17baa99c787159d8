// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A block looks for the last tensor whose first block lies before it, with `<` in place of `<=`, so the first block of each tensor but the first stays with the tensor before and does nothing: those chunks are not updated.
// SAYS: (first|begin|start).*(chunk|block|tensor)|(chunk|block|tensor).*(first|begin|start)|<=
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

constexpr int kThreads = 256;
constexpr long kChunk = 16 * kThreads;

// One line for a tensor, not for a chunk: a block finds its tensor by itself.
struct Tensor {
  long begin = 0, end = 0;
  int first_block = 0;
};

struct Constants {
  float beta1, beta2, eps, rate, root;
};

__device__ __forceinline__ void adam(float& p, float g, float& m, float& v, const Constants& c) {
  m = c.beta1 * m + (1.0f - c.beta1) * g;
  v = c.beta2 * v + (1.0f - c.beta2) * g * g;
  p -= c.rate * m / (sqrtf(v) * c.root + c.eps);
}

__global__ void __launch_bounds__(kThreads)
    multi_tensor(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m, float* __restrict__ v,
                 const Tensor* __restrict__ list, int tensors, Constants c) {
  __shared__ long range[2];
  if (threadIdx.x == 0) {
    const int block = static_cast<int>(blockIdx.x);
    int t = 0;
    while (t + 1 < tensors && list[t + 1].first_block < block) ++t;
    const Tensor mine = list[t];
    range[0] = mine.begin + (block - mine.first_block) * kChunk;
    range[1] = min(range[0] + kChunk, mine.end);
  }
  __syncthreads();
  const long begin = range[0], end = range[1];
  for (long i = begin + 4 * threadIdx.x; i < end; i += 4 * kThreads) {
    if (i + 3 < end) {
      float4 p4 = *reinterpret_cast<float4*>(p + i);
      float4 m4 = *reinterpret_cast<float4*>(m + i);
      float4 v4 = *reinterpret_cast<float4*>(v + i);
      const float4 g4 = *reinterpret_cast<const float4*>(g + i);
      adam(p4.x, g4.x, m4.x, v4.x, c);
      adam(p4.y, g4.y, m4.y, v4.y, c);
      adam(p4.z, g4.z, m4.z, v4.z, c);
      adam(p4.w, g4.w, m4.w, v4.w, c);
      *reinterpret_cast<float4*>(p + i) = p4;
      *reinterpret_cast<float4*>(m + i) = m4;
      *reinterpret_cast<float4*>(v + i) = v4;
    } else {
      for (long j = i; j < end; ++j) adam(p[j], g[j], m[j], v[j], c);
    }
  }
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, const long* offsets,
               const long* sizes, int tensors, float lr, float beta1, float beta2, float eps, int step) {
  Constants c{beta1, beta2, eps, 0.0f, 0.0f};
  c.rate = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  c.root = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  std::vector<Tensor> list;
  int blocks = 0;
  for (int t = 0; t < tensors; ++t) {
    if (sizes[t] == 0) continue;
    list.push_back({offsets[t], offsets[t] + sizes[t], blocks});
    blocks += static_cast<int>((sizes[t] + kChunk - 1) / kChunk);
  }
  if (blocks == 0) return;
  Tensor* on_device;
  cudaMalloc(&on_device, sizeof(Tensor) * list.size());
  cudaMemcpy(on_device, list.data(), sizeof(Tensor) * list.size(), cudaMemcpyHostToDevice);
  multi_tensor<<<blocks, kThreads>>>(parameters, gradients, m, v, on_device, static_cast<int>(list.size()), c);
  cudaFree(on_device);
}
