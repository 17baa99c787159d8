// STYLE: float2 pieces, 512 threads a block
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 512;

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
  const long pairs = count / 2;
  float2* p2 = reinterpret_cast<float2*>(parameters);
  const float2* g2 = reinterpret_cast<const float2*>(gradients);
  float2 *m2 = reinterpret_cast<float2*>(m), *v2 = reinterpret_cast<float2*>(v);
  for (long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; i < pairs; i += long(gridDim.x) * kThreads) {
    float2 a = p2[i], b = m2[i], c = v2[i];
    const float2 d = g2[i];
    update_parameter(a.x, d.x, b.x, c.x, adam);
    update_parameter(a.y, d.y, b.y, c.y, adam);
    p2[i] = a, m2[i] = b, v2[i] = c;
  }
  if (count % 2 && blockIdx.x == 0 && threadIdx.x == 0)
    update_parameter(parameters[count - 1], gradients[count - 1], m[count - 1], v[count - 1], adam);
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
