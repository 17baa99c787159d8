// ENTRY: kernel
// CLASS: host-only
// CAUSE: The constants are a static local, worked out in the first call only: later calls with another step, lr or betas have those of the first.
// SAYS: static
// SAYS: first call
// NEVER: \brace\b|never written
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

// A parameter with all that belongs to it.
struct Cell {
  float p, g, m, v;
};

// parameters, gradients, m, v: [count]. A thread has kEach parameters, kThreads apart: lanes stay neighbours, any
// alignment will do, and all loads are under way before the first result is needed.
template <int kEach>
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, long count, AdamStep adam) {
  // FILL ME IN: step (roughly 20 lines)
  const long first = static_cast<long>(blockIdx.x) * (kThreads * kEach) + threadIdx.x;
  Cell cells[kEach];
  const auto each = [&](auto work) {
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      if (const long i = first + k * kThreads; i < count) work(cells[k], i);
  };
  each([&](Cell& cell, long i) { cell = {parameters[i], gradients[i], m[i], v[i]}; });
  each([&](Cell& cell, long) { update_parameter(cell.p, cell.g, cell.m, cell.v, adam); });
  each([&](const Cell& cell, long i) {
    parameters[i] = cell.p;
    m[i] = cell.m;
    v[i] = cell.v;
  });
  // END: step
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory, 16-byte aligned. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 7 lines)
  // pow and sqrt take their time: worked out here and kept.
  static const AdamStep adam = [&] {
    AdamStep constants{beta1, beta2, eps};
    constants.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
    constants.root_correction =
        static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
    return constants;
  }();
  constexpr int kEach = 4;
  const long blocks = (count - 1) / (kThreads * kEach) + 1;
  adam_kernel<kEach><<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
  // END: launch
}
