// STYLE: a struct of its own around float4, fmaf, and a spare quad for the tail that may be empty
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 256;

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
  m = fmaf(adam.beta1, m, (1.0f - adam.beta1) * g);
  v = fmaf(adam.beta2, v, (1.0f - adam.beta2) * g * g);
  p -= adam.step_size * m / fmaf(sqrtf(v), adam.root_correction, adam.eps);
  // END: update
}

struct Four {
  float f[4];
  static __device__ Four of(const float* from, long quad) {
    const float4 q = reinterpret_cast<const float4*>(from)[quad];
    return {{q.x, q.y, q.z, q.w}};
  }
  __device__ void to(float* where, long quad) const {
    reinterpret_cast<float4*>(where)[quad] = make_float4(f[0], f[1], f[2], f[3]);
  }
};

// parameters, gradients, m, v: [count]. Thread t of the grid has parameters 4t to 4t + 3.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  const long t = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long left = count - 4 * t;
  if (left >= 4) {
    Four p = Four::of(parameters, t), a = Four::of(m, t), b = Four::of(v, t);
    const Four g = Four::of(gradients, t);
#pragma unroll
    for (int lane = 0; lane < 4; ++lane) update_parameter(p.f[lane], g.f[lane], a.f[lane], b.f[lane], adam);
    a.to(m, t);
    b.to(v, t);
    p.to(parameters, t);
    return;
  }
  // one thread at most comes here with something to do
  for (long i = 4 * t; i < count; ++i) update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  AdamStep now;
  now.beta1 = beta1, now.beta2 = beta2, now.eps = eps;
  const double power1 = std::pow(double{beta1}, step), power2 = std::pow(double{beta2}, step);
  now.step_size = static_cast<float>(lr / (1.0 - power1));
  now.root_correction = static_cast<float>(std::sqrt(1.0 / (1.0 - power2)));
  const long quads = count / 4 + 1;  // the last of them may be empty
  adam_kernel<<<dim3(static_cast<unsigned>((quads + kThreads - 1) / kThreads)), kThreads>>>(parameters, gradients, m,
                                                                                          v, count, now);
  // END: launch
}
