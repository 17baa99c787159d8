// ENTRY: kernel
// CLASS: scaling
// CAUSE: eps squared stands under the root where eps belongs beside it
// SAYS: square of eps is added to v_hat, inside the square root
// p28 adam_unfused: one step of the Adam optimiser over a whole tensor, a kernel for each formula.
//
//   m = beta1 m + (1 - beta1) g          m_hat = m / (1 - beta1^step)
//   v = beta2 v + (1 - beta2) g^2        v_hat = v / (1 - beta2^step)
//   p = p - lr m_hat / (sqrt(v_hat) + eps)
//
// Fill in the five blanks, then run:  grader p28
//
//   first_moment, second_moment   the new m and the new v, each in its place
//
//   correct    m_hat or v_hat: a moment divided by its correction, into a tensor of its own
//
//   update     the new p
//
//   launches   five of them, in an order in which everything is there when it is read
//
// p, m and v are changed in place. Steps count from 1. The number of parameters can be anything. Before you
// run it, count: how often do these five launches read or write a tensor? There are three answers about, 10,
// 11 and 14, and the grader will count one.

#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 256;

// The parameter of this thread. All tensors: [count].
__device__ long parameter_of_thread() { return static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; }

// m = beta1 m + (1 - beta1) g
__global__ void first_moment_kernel(const float* __restrict__ gradients, float* __restrict__ m, long count,
                                    [[maybe_unused]] float beta1) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: first_moment (roughly 1 line)
  m[i] = fmaf(beta1, m[i], (1.0f - beta1) * gradients[i]);
  // END: first_moment
}

// v = beta2 v + (1 - beta2) g^2
__global__ void second_moment_kernel(const float* __restrict__ gradients, float* __restrict__ v, long count,
                                     [[maybe_unused]] float beta2) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: second_moment (roughly 2 lines)
  const float g = gradients[i];
  v[i] = fmaf(beta2, v[i], (1.0f - beta2) * g * g);
  // END: second_moment
}

// hat = moment / correction
__global__ void correct_kernel(const float* __restrict__ moment, float* __restrict__ hat, long count,
                               [[maybe_unused]] float correction) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: correct (roughly 1 line)
  hat[i] = moment[i] / correction;
  // END: correct
}

// p = p - lr m_hat / (sqrt(v_hat) + eps)
__global__ void update_kernel(const float* __restrict__ m_hat, const float* __restrict__ v_hat,
                              float* __restrict__ parameters, long count, [[maybe_unused]] float lr,
                              [[maybe_unused]] float eps) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: update (roughly 1 line)
  const float inverse = rsqrtf(fmaf(eps, eps, v_hat[i]));
  parameters[i] -= lr * (m_hat[i] * inverse);
  // END: update
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  float *m_hat, *v_hat;    // [count]: two tensors that are nobody's answer
  cudaMalloc(&m_hat, sizeof(float) * count);
  cudaMalloc(&v_hat, sizeof(float) * count);
  // FILL ME IN: launches (roughly 10 lines)
  const dim3 grid(static_cast<unsigned>((count - 1) / kThreads + 1)), block(kThreads);
  const auto left_at_step = [step](float beta) {
    return static_cast<float>(1.0 - std::pow(static_cast<double>(beta), step));
  };
  first_moment_kernel<<<grid, block>>>(gradients, m, count, beta1);
  correct_kernel<<<grid, block>>>(m, m_hat, count, left_at_step(beta1));
  second_moment_kernel<<<grid, block>>>(gradients, v, count, beta2);
  correct_kernel<<<grid, block>>>(v, v_hat, count, left_at_step(beta2));
  update_kernel<<<grid, block>>>(m_hat, v_hat, parameters, count, lr, eps);
  // END: launches
  cudaFree(v_hat);
  cudaFree(m_hat);
}
