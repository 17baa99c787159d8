// STYLE: two kernels and eleven accesses: moments and hats in one, the update in the other
#include <cuda_runtime.h>

#include <cmath>

__global__ void __launch_bounds__(1024) moments(const float* __restrict__ g, float* __restrict__ m, float* __restrict__ v,
                                                float2* __restrict__ hats, long n, float b1, float b2, float c1, float c2) {
  const long i = blockIdx.x * 1024L + threadIdx.x;
  if (i >= n) return;
  const float a = g[i], new_m = b1 * m[i] + (1 - b1) * a, new_v = b2 * v[i] + (1 - b2) * a * a;
// FILL ME IN: first_moment (roughly 1 lines)
  m[i] = new_m;
// END: first_moment
// FILL ME IN: second_moment (roughly 1 lines)
  v[i] = new_v;
// END: second_moment
// FILL ME IN: correct (roughly 1 lines)
  hats[i] = make_float2(new_m / c1, new_v / c2);
// END: correct
}
__global__ void __launch_bounds__(1024) walk(const float2* __restrict__ hats, float* __restrict__ p, long n, float lr, float eps) {
  const long i = blockIdx.x * 1024L + threadIdx.x;
// FILL ME IN: update (roughly 1 lines)
  if (i < n) p[i] -= lr * hats[i].x / (sqrtf(hats[i].y) + eps);
// END: update
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  float2* hats;
  cudaMalloc(&hats, sizeof(float2) * count);
  // FILL ME IN: launches (roughly 4 lines)
  const unsigned blocks = (count + 1023) / 1024;
  const float c1 = 1 - std::pow(double(beta1), double(step)), c2 = 1 - std::pow(double(beta2), double(step));
  moments<<<blocks, 1024>>>(gradients, m, v, hats, count, beta1, beta2, c1, c2);
  walk<<<blocks, 1024>>>(hats, parameters, count, lr, eps);
  // END: launches
  cudaFree(hats);
}
