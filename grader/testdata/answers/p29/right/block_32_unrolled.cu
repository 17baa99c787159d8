// STYLE: blocks of 32 threads; a thread's four parameters lie a block apart
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 32;

// All that the arithmetic needs to know of one step. The powers beta^step are the same for every parameter:
// two calls of pow on the host instead of two per parameter on the device.
struct AdamStep {
  float beta1 = 0, beta2 = 0, eps = 0;
  float step_size = 0;        // lr / (1 - beta1^step)
  float root_correction = 0;  // 1 / sqrt(1 - beta2^step), so that sqrt(v_hat) = sqrt(v) * root_correction
};

// One parameter p with its gradient g and its moments m and v.
__device__ void update_parameter([[maybe_unused]] float& p, [[maybe_unused]] float g,
                                 [[maybe_unused]] float& m, [[maybe_unused]] float& v,
                                 [[maybe_unused]] const AdamStep& adam) {
  // FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
  // END: update
}

// parameters, gradients, m, v: [count]. Thread t of the grid has parameters 4t to 4t + 3.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  const long base = static_cast<long>(blockIdx.x) * 4 * kThreads + threadIdx.x;
#pragma unroll 4
  for (int k = 0; k < 4; ++k) {
    const long i = base + k * kThreads;
    if (i >= count) break;
    float p = parameters[i], a = m[i], b = v[i];
    update_parameter(p, gradients[i], a, b, adam);
    parameters[i] = p;
    m[i] = a;
    v[i] = b;
  }
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction =
      static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long parameters_per_block = 4L * kThreads;
  const long blocks = (count + parameters_per_block - 1) / parameters_per_block;
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
}
