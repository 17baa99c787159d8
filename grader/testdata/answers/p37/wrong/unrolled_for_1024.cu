// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The whole run is kept in registers by blocks of 1024 threads, which have 64 of them: the others are spilled.
// SAYS: spill
// NEVER: barrier|\brace\b|uninitiali
// HELD: yes
#include <cuda_runtime.h>

constexpr int kRun = 128;

__global__ void __launch_bounds__(1024)
    conv_all(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out, int steps, int channels) {
  // FILL ME IN: keep (roughly 7 lines)
  const int c = blockIdx.x * 1024 + threadIdx.x, t0 = blockIdx.y * kRun;
  if (c >= channels) return;
  float v[kRun + 3];
#pragma unroll
  for (int i = 0; i < kRun + 3; i++) {
    const int t = t0 - 3 + i;
    v[i] = t >= 0 && t < steps ? x[(size_t)t * channels + c] : 0.f;
  }
  // END: keep
  // FILL ME IN: walk (roughly 16 lines)
#pragma unroll
  for (int i = 0; i < kRun; i++) {
    const float y = weight[c] * v[i + 3] + weight[channels + c] * v[i + 2] + weight[2 * channels + c] * v[i + 1] +
                    weight[3 * channels + c] * v[i];
    if (t0 + i < steps) out[(size_t)(t0 + i) * channels + c] = y;
  }
  // END: walk
}

void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  // FILL ME IN: launch (roughly 2 lines)
  conv_all<<<dim3((channels + 1023) / 1024, (steps + kRun - 1) / kRun), 1024>>>(x, weight, out, steps, channels);
  // END: launch
}
