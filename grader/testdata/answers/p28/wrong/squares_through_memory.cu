// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A sixth launch puts g squared into memory first: one launch and two accesses too many.
// SAYS: launch|v_hat|gradients|bytes
// SAYS: \b6 (launches|kernels)|extra|too many|\bsix\b|one more|once more|again|budget|launches
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 256;
__device__ long me() { return static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; }
__global__ void square_kernel(const float* g, float* out, long count) {
// FILL ME IN: second_moment (roughly 1 lines)
  if (me() < count) out[me()] = g[me()] * g[me()];
// END: second_moment
}
// FILL ME IN: first_moment (roughly 3 lines)
__global__ void average_kernel(const float* g, float* m, long count, float beta) {
  if (me() < count) m[me()] = beta * m[me()] + (1.0f - beta) * g[me()];
}
// END: first_moment
__global__ void correct_kernel(const float* m, float* hat, long count, float correction) {
// FILL ME IN: correct (roughly 1 lines)
  if (me() < count) hat[me()] = m[me()] / correction;
// END: correct
}
__global__ void update_kernel(const float* m, const float* v, float* p, long count, float lr, float eps) {
// FILL ME IN: update (roughly 1 lines)
  if (me() < count) p[me()] -= lr * m[me()] / (sqrtf(v[me()]) + eps);
// END: update
}
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  float *m_hat, *v_hat;
  cudaMalloc(&m_hat, sizeof(float) * count);
  cudaMalloc(&v_hat, sizeof(float) * count);
  // FILL ME IN: launches (roughly 8 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  square_kernel<<<blocks, kThreads>>>(gradients, v_hat, count);
  average_kernel<<<blocks, kThreads>>>(gradients, m, count, beta1);
  average_kernel<<<blocks, kThreads>>>(v_hat, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
  // END: launches
  cudaFree(v_hat);
  cudaFree(m_hat);
}
