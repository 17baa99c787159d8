// ENTRY: kernel
// CLASS: tail
// CAUSE: The thread behind the pieces of four is to do the last one to three, and there is none where the pieces fill the blocks.
// SAYS: 4 - 1\) / 4
// NEVER: race|barrier
// HELD: no
// p29 adam_fused: one step of the Adam optimiser over a whole tensor, in one kernel.
//
//   m = beta1 m + (1 - beta1) g          m_hat = m / (1 - beta1^step)
//   v = beta2 v + (1 - beta2) g^2        v_hat = v / (1 - beta2^step)
//   p = p - lr m_hat / (sqrt(v_hat) + eps)
//
// p, m and v are changed in place. Steps count from 1. The number of parameters can be anything.

#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 256;

// All that the arithmetic needs to know of one step.
struct AdamStep {
  float beta1 = 0, beta2 = 0, eps = 0;
  float step_size = 0;        // lr / (1 - beta1^step)
  float root_correction = 0;  // 1 / sqrt(1 - beta2^step), so that sqrt(v_hat) = sqrt(v) * root_correction
};

// One parameter p with its gradient g and its moments m and v.
__device__ __forceinline__ void update_parameter(float& p, float g, float& m, float& v, const AdamStep& adam) {
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
}

// parameters, gradients, m, v: [count]. Thread t of the grid has the t-th four parameters; the thread behind the
// last whole four has what is left.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  const long t = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long fours = count / 4;
  if (t < fours) {
    float4* p4 = reinterpret_cast<float4*>(parameters) + t;
    float4* m4 = reinterpret_cast<float4*>(m) + t;
    float4* v4 = reinterpret_cast<float4*>(v) + t;
    const float4 g = reinterpret_cast<const float4*>(gradients)[t];
    float4 p_new = *p4, m_new = *m4, v_new = *v4;
    update_parameter(p_new.x, g.x, m_new.x, v_new.x, adam);
    update_parameter(p_new.y, g.y, m_new.y, v_new.y, adam);
    update_parameter(p_new.z, g.z, m_new.z, v_new.z, adam);
    update_parameter(p_new.w, g.w, m_new.w, v_new.w, adam);
    *p4 = p_new;
    *m4 = m_new;
    *v4 = v_new;
  } else if (t == fours) {
    for (long i = 4 * fours; i < count; ++i) {
      float p_new = parameters[i], m_new = m[i], v_new = v[i];
      update_parameter(p_new, gradients[i], m_new, v_new, adam);
      parameters[i] = p_new;
      m[i] = m_new;
      v[i] = v_new;
    }
  }
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  AdamStep adam{beta1, beta2, eps};
  const double left1 = 1.0 - std::pow(static_cast<double>(beta1), step);
  const double left2 = 1.0 - std::pow(static_cast<double>(beta2), step);
  adam.step_size = static_cast<float>(lr / left1);
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(left2));
  const long threads = count < 4 ? 1 : count / 4;
  const unsigned blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  adam_kernel<<<blocks, kThreads>>>(parameters, gradients, m, v, count, adam);
}
