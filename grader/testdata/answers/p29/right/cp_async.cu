// STYLE: the four inputs travel through shared memory by cp.async, blocks of 32
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 32;

struct AdamStep {
  float beta1 = 0, beta2 = 0, eps = 0, step_size = 0, root_correction = 0;
};

__global__ void adam_kernel(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                            float* __restrict__ v, long count, AdamStep adam) {
  __shared__ float held[4][kThreads];
  const long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) return;
  // FILL ME IN: step (roughly 20 lines)
  const float* const from[4] = {p, g, m, v};
#pragma unroll
  for (int k = 0; k < 4; ++k) __pipeline_memcpy_async(&held[k][threadIdx.x], from[k] + i, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const float gradient = held[1][threadIdx.x];
  // END: step
  // FILL ME IN: update (roughly 3 lines)
  const float new_m = adam.beta1 * held[2][threadIdx.x] + (1.0f - adam.beta1) * gradient;
  const float new_v = adam.beta2 * held[3][threadIdx.x] + (1.0f - adam.beta2) * gradient * gradient;
  p[i] = held[0][threadIdx.x] - adam.step_size * new_m / (sqrtf(new_v) * adam.root_correction + adam.eps);
  m[i] = new_m;
  v[i] = new_v;
  // END: update
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  // FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / -std::expm1(step * std::log(static_cast<double>(beta1))));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(-std::expm1(step * std::log(static_cast<double>(beta2)))));
  adam_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
}
