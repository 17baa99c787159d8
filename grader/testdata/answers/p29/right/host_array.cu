// STYLE: an array of constants by value, a lambda over a struct of pointers, cooperative groups for the index
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>

enum { kBeta1, kBeta2, kRest1, kRest2, kScale, kRoot, kEps, kConstants };
struct Constants {
  float of[kConstants];
};

__global__ void adam_kernel(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                            float* __restrict__ v, long count, Constants k) {
  const auto grid = cooperative_groups::this_grid();
  const auto update = [&k](float& p, float g, float& m, float& v) {
    // FILL ME IN: update (roughly 3 lines)
    m = fmaf(k.of[kBeta1], m, k.of[kRest1] * g);
    v = fmaf(k.of[kBeta2], v, k.of[kRest2] * g * g);
    p -= k.of[kScale] * __fdiv_rn(m, fmaf(__fsqrt_rn(v), k.of[kRoot], k.of[kEps]));
    // END: update
  };
  // FILL ME IN: step (roughly 20 lines)
  for (long i = static_cast<long>(grid.thread_rank()); i < count; i += static_cast<long>(grid.size())) {
    float new_p = p[i], new_m = m[i], new_v = v[i];
    update(new_p, g[i], new_m, new_v);
    p[i] = new_p, m[i] = new_m, v[i] = new_v;
  }
  // END: step
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  // FILL ME IN: launch (roughly 7 lines)
  Constants k{{beta1, beta2, 1.0f - beta1, 1.0f - beta2}};
  k.of[kScale] = static_cast<float>(lr / (1.0 - std::pow(double(beta1), double(step))));
  k.of[kRoot] = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(double(beta2), double(step))));
  k.of[kEps] = eps;
  adam_kernel<<<8, 1024>>>(parameters, gradients, m, v, count, k);
  // END: launch
}
