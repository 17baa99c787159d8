// ENTRY: kernel
// CLASS: race
// CAUSE: Each thread of the grid updates the last count % 4 parameters.
// SAYS: blockIdx\.x == 0 && threadIdx\.x == 0|multiple of 4
// NEVER: __syncthreads|atomic
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

#include <algorithm>
#include <cmath>

constexpr int kThreads = 128;
constexpr long kMostBlocks = 2048;  // Beyond that a thread takes more than one float4.

// All that the arithmetic needs to know of one step.
struct Adam {
  float beta1, beta2, eps;
  float step_size;        // lr / (1 - beta1^step)
  float root_correction;  // 1 / sqrt(1 - beta2^step)

  __device__ void update(float& p, float g, float& m, float& v) const {
    // FILL ME IN: update (roughly 3 lines)
    m = beta1 * m + (1.0f - beta1) * g;
    v = beta2 * v + (1.0f - beta2) * g * g;
    p -= step_size * m / (sqrtf(v) * root_correction + eps);
    // END: update
  }
};

// parameters, gradients, m, v: [count]. The threads of the grid go over the whole float4s together.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, Adam adam) {
  // FILL ME IN: step (roughly 20 lines)
  const long quads = count / 4;
  const long threads = static_cast<long>(gridDim.x) * kThreads;
  float4* const p4 = reinterpret_cast<float4*>(parameters);
  const float4* const g4 = reinterpret_cast<const float4*>(gradients);
  float4* const m4 = reinterpret_cast<float4*>(m);
  float4* const v4 = reinterpret_cast<float4*>(v);
  for (long q = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; q < quads; q += threads) {
    const float4 g = g4[q];
    float4 of_p = p4[q], of_m = m4[q], of_v = v4[q];
    adam.update(of_p.x, g.x, of_m.x, of_v.x);
    adam.update(of_p.y, g.y, of_m.y, of_v.y);
    adam.update(of_p.z, g.z, of_m.z, of_v.z);
    adam.update(of_p.w, g.w, of_m.w, of_v.w);
    p4[q] = of_p;
    m4[q] = of_m;
    v4[q] = of_v;
  }
  // What is left behind the last whole float4: at most three parameters.
  for (long i = quads * 4; i < count; ++i) adam.update(parameters[i], gradients[i], m[i], v[i]);
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  Adam adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.eps = eps;
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long needed = (count / 4 + kThreads - 1) / kThreads;
  const long blocks = std::clamp(needed, 1L, kMostBlocks);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
}
