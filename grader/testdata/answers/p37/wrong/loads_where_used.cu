// ENTRY: kernel
// CLASS: over-budget
// CAUSE: x may overlap out, and each load is under a condition: the compiler loads where the value is used, one at a time.
// SAYS: wait
// SAYS: too few loads|under way|one at a time
// NEVER: barrier|\brace\b|uninitiali
// HELD: no
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128, 8) walkers(const float* x, const float* weight, float* out, int steps, int channels) {
  constexpr int kLong = 32;
  const int across = (channels + 127) / 128, runs = (steps + kLong - 1) / kLong;
  for (int job = blockIdx.x; job < across * runs; job += gridDim.x) {
    // FILL ME IN: keep (roughly 7 lines)
    const int c = job % across * 128 + threadIdx.x, t0 = job / across * kLong;
    if (c >= channels) continue;
    double w[4];
    for (int k = 0; k < 4; ++k) w[k] = weight[k * channels + c];
    float v[kLong / 4 + 3];
    // END: keep
    // FILL ME IN: walk (roughly 16 lines)
#pragma unroll
    for (int i = 0; i < 3; ++i) v[i] = t0 + i >= 3 ? x[size_t(t0 + i - 3) * channels + c] : 0.0f;
#pragma unroll 1
    for (int part = 0; part < 4; ++part) {
      const int t = t0 + part * (kLong / 4);
#pragma unroll
      for (int i = 0; i < kLong / 4; ++i)
        if (t + i < steps) v[i + 3] = x[size_t(t + i) * channels + c];
#pragma unroll
      for (int i = 0; i < kLong / 4; ++i) {
        if (t + i >= steps) continue;
        double y = w[3] * v[i];
        y += w[2] * v[i + 1];
        y += w[1] * v[i + 2];
        out[size_t(t + i) * channels + c] = float(y + w[0] * v[i + 3]);
      }
#pragma unroll
      for (int i = 0; i < 3; ++i) v[i] = v[kLong / 4 + i];
    }
    // END: walk
  }
}

void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  // FILL ME IN: launch (roughly 2 lines)
  walkers<<<264, 128>>>(x, weight, out, steps, channels);
  // END: launch
}
