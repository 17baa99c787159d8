// STYLE: a fold expression over pointers to members of float4
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

// What one step needs, worked out on the host. rate already has the first correction in it, root the second.
struct AdamStep {
  float beta1 = 0, beta2 = 0, eps = 0;
  float rate = 0;
  float root = 0;
};

__device__ __forceinline__ void update_parameter(float& p, float g, float& m, float& v,
                                                 const AdamStep& adam) {
  // FILL ME IN: update (roughly 3 lines)
  m = fmaf(1.0f - adam.beta1, g, adam.beta1 * m);
  v = fmaf((1.0f - adam.beta2) * g, g, adam.beta2 * v);
  p -= adam.rate * m / (sqrtf(v) * adam.root + adam.eps);
  // END: update
}

// One component of four float4s after the other, without writing it four times.
template <float float4::*... kParts>
__device__ __forceinline__ void update_parts(float4& p, const float4& g, float4& m, float4& v,
                                             const AdamStep& adam) {
  (update_parameter(p.*kParts, g.*kParts, m.*kParts, v.*kParts, adam), ...);
}

template <typename T>
__device__ __forceinline__ T& piece(T* base, long at) {
  return base[at];
}

// parameters, gradients, m, v: [count]. Thread t of the grid has parameters 4t to 4t + 3.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  const long thread = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const long whole = count >> 2;
  if (thread < whole) {
    float4& p_home = piece(reinterpret_cast<float4*>(parameters), thread);
    float4& m_home = piece(reinterpret_cast<float4*>(m), thread);
    float4& v_home = piece(reinterpret_cast<float4*>(v), thread);
    const float4 g = piece(reinterpret_cast<const float4*>(gradients), thread);
    float4 p = p_home, my_m = m_home, my_v = v_home;
    update_parts<&float4::x, &float4::y, &float4::z, &float4::w>(p, g, my_m, my_v, adam);
    p_home = p;
    m_home = my_m;
    v_home = my_v;
    return;
  }
  // The thread behind the last whole float4, and it alone, has what is left: three parameters at most.
  if (thread > whole) return;
  for (long i = whole << 2; i < count; ++i) update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  const auto left = [step](float beta) { return 1.0 - std::pow(static_cast<double>(beta), step); };
  AdamStep adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.eps = eps;
  adam.rate = static_cast<float>(lr / left(beta1));
  adam.root = static_cast<float>(1.0 / std::sqrt(left(beta2)));
  const long threads = (count + 3) / 4;
  adam_kernel<<<static_cast<unsigned>((threads + kThreads - 1) / kThreads), kThreads>>>(parameters, gradients, m,
                                                                                      v, count, adam);
  // END: launch
}
