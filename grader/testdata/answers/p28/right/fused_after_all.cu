// STYLE: one kernel, which p29 asks for; the hats are never touched
#include <cuda_runtime.h>

#include <cmath>

__global__ void all_of_it(float* p, const float* g, float* m, float* v, long n, float lr, float b1, float b2, float eps,
                          float c1, float c2) {
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L) {
// FILL ME IN: first_moment (roughly 1 lines)
    const float gi = g[i], mi = b1 * m[i] + (1 - b1) * gi, vi = b2 * v[i] + (1 - b2) * gi * gi;
// END: first_moment
// FILL ME IN: second_moment (roughly 1 lines)
    p[i] -= lr * (mi / c1) / (sqrtf(vi / c2) + eps);
// END: second_moment
// FILL ME IN: correct (roughly 1 lines)
    m[i] = mi;
// END: correct
// FILL ME IN: update (roughly 1 lines)
    v[i] = vi;
// END: update
  }
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  // FILL ME IN: launches (roughly 3 lines)
  all_of_it<<<132, 256>>>(parameters, gradients, m, v, count, lr, beta1, beta2, eps,
                          1.0 - std::pow(double(beta1), step), 1.0 - std::pow(double(beta2), step));
  // END: launches
}
