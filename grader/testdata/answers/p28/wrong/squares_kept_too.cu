// ENTRY: kernel
// CLASS: allocation
// CAUSE: A third tensor of the parameters' size is allocated, for the squares of the gradients, where two are enough.
// SAYS: allocat|intermediate|launch|scratch
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)|\brace\b
// HELD: no
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 256;
__device__ long me() { return static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; }
__global__ void moments_kernel(const float* g, float* m, float* squares, long count, float beta) {
  if (me() >= count) return;
  const float gradient = g[me()];
// FILL ME IN: first_moment (roughly 1 lines)
  m[me()] = beta * m[me()] + (1.0f - beta) * gradient;
// END: first_moment
  squares[me()] = gradient * gradient;
}
__global__ void second_kernel(const float* squares, float* v, long count, float beta) {
// FILL ME IN: second_moment (roughly 1 lines)
  if (me() < count) v[me()] = beta * v[me()] + (1.0f - beta) * squares[me()];
// END: second_moment
}
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
  float *m_hat, *v_hat, *squares;
  cudaMalloc(&m_hat, sizeof(float) * count);
  cudaMalloc(&v_hat, sizeof(float) * count);
  cudaMalloc(&squares, sizeof(float) * count);
  // FILL ME IN: launches (roughly 8 lines)
  const unsigned blocks = (count + kThreads - 1) / kThreads;
  moments_kernel<<<blocks, kThreads>>>(gradients, m, squares, count, beta1);
  second_kernel<<<blocks, kThreads>>>(squares, v, count, beta2);
  correct_kernel<<<blocks, kThreads>>>(m, m_hat, count, 1.0 - std::pow(double(beta1), step));
  correct_kernel<<<blocks, kThreads>>>(v, v_hat, count, 1.0 - std::pow(double(beta2), step));
  update_kernel<<<blocks, kThreads>>>(m_hat, v_hat, parameters, count, lr, eps);
  // END: launches
  cudaFree(squares);
  cudaFree(v_hat);
  cudaFree(m_hat);
}
