// ENTRY: kernel
// CLASS: race
// CAUSE: The last count % 4 parameters are updated by the first threads of every block (threadIdx.x) instead of only one block, so with several blocks they are updated several times, in place and unordered.
// SAYS: every block|each block|all blocks|blocks|threadIdx|more than once|several times|multiple times|race
// SAYS: tail|rest|last|remain|% ?4|left
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

constexpr int kThreads = 64;
constexpr long kMostBlocks = 132 * 16;

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

struct Quads {
  float4 p, g, m, v;
  __device__ void update(const AdamStep& adam) {
    update_parameter(p.x, g.x, m.x, v.x, adam);
    update_parameter(p.y, g.y, m.y, v.y, adam);
    update_parameter(p.z, g.z, m.z, v.z, adam);
    update_parameter(p.w, g.w, m.w, v.w, adam);
  }
};

// parameters, gradients, m, v: [count]. The grid strides over the float4s; what is left behind them is done
// one by one.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  float4* p4 = reinterpret_cast<float4*>(parameters);
  const float4* g4 = reinterpret_cast<const float4*>(gradients);
  float4* m4 = reinterpret_cast<float4*>(m);
  float4* v4 = reinterpret_cast<float4*>(v);
  const long quads = count / 4, stride = static_cast<long>(gridDim.x) * kThreads;
  for (long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; i < quads; i += stride) {
    Quads mine{p4[i], __ldcs(g4 + i), m4[i], v4[i]};
    mine.update(adam);
    p4[i] = mine.p;
    m4[i] = mine.m;
    v4[i] = mine.v;
  }
  const long left = 4 * quads + threadIdx.x;
  if (left < count) update_parameter(parameters[left], gradients[left], m[left], v[left], adam);
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long wanted = (count + 4 * kThreads - 1) / (4 * kThreads);
  const long blocks = wanted < kMostBlocks ? wanted : kMostBlocks;
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
}
