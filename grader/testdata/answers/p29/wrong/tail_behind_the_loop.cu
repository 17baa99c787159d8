// ENTRY: kernel
// CLASS: tail
// CAUSE: The tail is updated at index tail + thread, where tail = count & 3 is the number of left-over parameters and not where they start (count - tail), so early parameters are updated twice and the last ones never.
// SAYS: tail|last|left|remain|rest
// SAYS: start|index|begin|offset|count|wrong|twice|never|first
// HELD: no
// p29 adam_fused: one step of the Adam optimiser over a whole tensor, in one kernel.
//
//   m = beta1 m + (1 - beta1) g          m_hat = m / (1 - beta1^step)
//   v = beta2 v + (1 - beta2) g^2        v_hat = v / (1 - beta2^step)
//   p = p - lr m_hat / (sqrt(v_hat) + eps)
//
// Fill in the three blanks, then run:  grader p29
//
//   update  the arithmetic of one parameter, in registers
//   step    what a thread loads, updates and stores: four reads and three writes a parameter, nothing twice
//   launch  the constants of this step, worked out once on the host, and one launch
//
// p, m and v are changed in place. Steps count from 1. The number of parameters can be anything.

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
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
  // END: update
}

// parameters, gradients, m, v: [count]. Thread t of T has the float4 t, t + T, ...
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  // A grid-stride loop over whole float4, then the last one to three parameters.
  const long thread = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long threads = static_cast<long>(gridDim.x) * kThreads;
  float4* p4 = reinterpret_cast<float4*>(parameters);
  const float4* g4 = reinterpret_cast<const float4*>(gradients);
  float4* m4 = reinterpret_cast<float4*>(m);
  float4* v4 = reinterpret_cast<float4*>(v);
  for (long i = thread; i < count / 4; i += threads) {
    float4 pi = p4[i], mi = m4[i], vi = v4[i];
    const float4 gi = g4[i];
    update_parameter(pi.x, gi.x, mi.x, vi.x, adam);
    update_parameter(pi.y, gi.y, mi.y, vi.y, adam);
    update_parameter(pi.z, gi.z, mi.z, vi.z, adam);
    update_parameter(pi.w, gi.w, mi.w, vi.w, adam);
    p4[i] = pi;
    m4[i] = mi;
    v4[i] = vi;
  }
  const long tail = count & 3;
  if (thread < tail) {
    const long i = tail + thread;
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
  }
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  const double power1 = std::pow(static_cast<double>(beta1), step);
  const double power2 = std::pow(static_cast<double>(beta2), step);
  adam.step_size = static_cast<float>(lr / (1.0 - power1));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - power2));
  const long blocks = (count + 4 * kThreads - 1) / (4 * kThreads);
  const long most = 1024;  // more work than that is a further round of the loop
  adam_kernel<<<static_cast<unsigned>(blocks < most ? blocks : most), kThreads>>>(parameters, gradients, m, v, count,
                                                                                  adam);
  // END: launch
}
