// STYLE: cub::BlockLoad and BlockStore, striped, four parameters a thread
#include <cub/cub.cuh>
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 128, kItems = 4;

__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* p, const float* g, float* m, float* v, long count, float beta1, float beta2, float scale,
                float root, float eps) {
  using Load = cub::BlockLoad<float, kThreads, kItems, cub::BLOCK_LOAD_STRIPED>;
  using Store = cub::BlockStore<float, kThreads, kItems, cub::BLOCK_STORE_STRIPED>;
  float ps[kItems], gs[kItems], ms[kItems], vs[kItems];
  // FILL ME IN: step (roughly 20 lines)
  const long first = static_cast<long>(blockIdx.x) * kThreads * kItems;
  const int here = static_cast<int>(min(static_cast<long>(kThreads * kItems), count - first));
  Load().Load(p + first, ps, here, 0.0f);
  Load().Load(g + first, gs, here, 0.0f);
  Load().Load(m + first, ms, here, 0.0f);
  Load().Load(v + first, vs, here, 1.0f);
  // END: step
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    // FILL ME IN: update (roughly 3 lines)
    ms[i] = beta1 * ms[i] + (1.0f - beta1) * gs[i];
    vs[i] = beta2 * vs[i] + (1.0f - beta2) * gs[i] * gs[i];
    ps[i] -= scale * ms[i] / (sqrtf(vs[i]) * root + eps);
    // END: update
  }
  Store().Store(p + first, ps, here);
  Store().Store(m + first, ms, here);
  Store().Store(v + first, vs, here);
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  // FILL ME IN: launch (roughly 7 lines)
  const double scale = lr / (1.0 - std::pow(static_cast<double>(beta1), step));
  const double root = 1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step));
  const unsigned blocks = static_cast<unsigned>((count + kThreads * kItems - 1) / (kThreads * kItems));
  adam_kernel<<<blocks, kThreads>>>(parameters, gradients, m, v, count, beta1, beta2, static_cast<float>(scale),
                                    static_cast<float>(root), eps);
  // END: launch
}
