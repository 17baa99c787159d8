// STYLE: every block works out its correction in double, thread 0 for all
#include <cuda_runtime.h>

// FILL ME IN: second_moment (roughly 6 lines)
__device__ double one_minus_power(float beta, int step) {
  double power = 1.0;
  for (double square = beta; step > 0; step >>= 1, square *= square)
    if (step & 1) power *= square;
  return 1.0 - power;
}
// END: second_moment

// FILL ME IN: first_moment (roughly 3 lines)
__global__ void moment(const float* g, float* to, long n, float beta, int exponent) {
  const long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = beta * to[i] + (1.0f - beta) * (exponent == 2 ? g[i] * g[i] : g[i]);
}
// END: first_moment
// FILL ME IN: correct (roughly 6 lines)
__global__ void hat_of(const float* from, float* to, long n, float beta, int step) {
  __shared__ float correction;
  if (threadIdx.x == 0) correction = static_cast<float>(one_minus_power(beta, step));
  __syncthreads();
  const long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] / correction;
}
// END: correct
// FILL ME IN: update (roughly 3 lines)
__global__ void move(float* p, const float* mh, const float* vh, long n, float lr, float eps) {
  const long i = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) p[i] -= lr * mh[i] / (sqrtf(vh[i]) + eps);
}
// END: update

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  float *m_hat, *v_hat;
  cudaMallocAsync(&m_hat, sizeof(float) * count, 0);
  cudaMallocAsync(&v_hat, sizeof(float) * count, 0);
  // FILL ME IN: launches (roughly 6 lines)
  const dim3 grid((count + 191) / 192), block(192);
  moment<<<grid, block>>>(gradients, m, count, beta1, 1);
  moment<<<grid, block>>>(gradients, v, count, beta2, 2);
  hat_of<<<grid, block>>>(m, m_hat, count, beta1, step);
  hat_of<<<grid, block>>>(v, v_hat, count, beta2, step);
  move<<<grid, block>>>(parameters, m_hat, v_hat, count, lr, eps);
  // END: launches
  cudaFreeAsync(v_hat, 0);
  cudaFreeAsync(m_hat, 0);
}
