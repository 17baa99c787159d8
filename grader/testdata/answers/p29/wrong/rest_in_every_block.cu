// ENTRY: kernel
// CLASS: race
// CAUSE: every block updates the last one to three parameters
// SAYS: blockIdx.x == 0
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
  m = m * adam.beta1 + g * (1.0f - adam.beta1);
  v = v * adam.beta2 + g * g * (1.0f - adam.beta2);
  p = p - adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
  // END: update
}

// parameters, gradients, m, v: [count]. Thread t of the grid has parameters 4t to 4t + 3.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  const long quads = count / 4;
  const long q = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (q < quads) {
    float4& p_at = reinterpret_cast<float4*>(parameters)[q];
    float4& m_at = reinterpret_cast<float4*>(m)[q];
    float4& v_at = reinterpret_cast<float4*>(v)[q];
    const float4 gs = reinterpret_cast<const float4*>(gradients)[q];
    float4 ps = p_at, ms = m_at, vs = v_at;
    update_parameter(ps.x, gs.x, ms.x, vs.x, adam);
    update_parameter(ps.y, gs.y, ms.y, vs.y, adam);
    update_parameter(ps.z, gs.z, ms.z, vs.z, adam);
    update_parameter(ps.w, gs.w, ms.w, vs.w, adam);
    p_at = ps;
    m_at = ms;
    v_at = vs;
  }
  // The last one to three fill no float4.
  if (threadIdx.x == 0) {
    for (long i = 4 * quads; i < count; ++i)
      update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
  }
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  const auto correction = [step](float beta) { return 1.0 - std::pow(static_cast<double>(beta), step); };
  AdamStep adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.eps = eps;
  adam.step_size = static_cast<float>(lr / correction(beta1));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(correction(beta2)));
  const long quads = count / 4, blocks = (quads + kThreads - 1) / kThreads;
  adam_kernel<<<static_cast<unsigned>(blocks > 0 ? blocks : 1), kThreads>>>(parameters, gradients, m, v, count,
                                                                            adam);
  // END: launch
}
