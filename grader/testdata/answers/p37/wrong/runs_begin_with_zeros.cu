// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Each run takes the three steps before it for zeros, which is true of the first run alone.
// SAYS: run|64
// SAYS: before|looks back|earlier|history
// NEVER: \brace\b
// NEVER: barrier
// NEVER: kSteps` in
// HELD: no
// Causal convolution with four taps. A thread walks along kSteps steps of its channel; what it keeps are four
// weights, the last three values and the batch it has just loaded.
#include <cuda_runtime.h>

constexpr int kSteps = 64;
constexpr int kWidth = 128;
constexpr int kBatch = 8;

__global__ void __launch_bounds__(kWidth)
    fir4(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out, int steps,
         int channels) {
  const int ch = blockIdx.x * kWidth + threadIdx.x;
  if (ch >= channels) return;
  const int begin = blockIdx.y * kSteps;
  const int end = min(begin + kSteps, steps);

  const float w0 = weight[ch];
  const float w1 = weight[channels + ch];
  const float w2 = weight[2 * channels + ch];
  const float w3 = weight[3 * channels + ch];

  // The three values before the first one.
  float p1 = 0.0f, p2 = 0.0f, p3 = 0.0f;

#pragma unroll 1
  for (int s = begin; s < end; s += kBatch) {
    float v[kBatch];
#pragma unroll
    for (int i = 0; i < kBatch; ++i)
      v[i] = s + i < end ? x[static_cast<size_t>(s + i) * channels + ch] : 0.0f;
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      if (s + i < end)
        out[static_cast<size_t>(s + i) * channels + ch] = w0 * v[i] + w1 * p1 + w2 * p2 + w3 * p3;
      p3 = p2;
      p2 = p1;
      p1 = v[i];
    }
  }
}

void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  const dim3 grid((channels + kWidth - 1) / kWidth, (steps + kSteps - 1) / kSteps);
  fir4<<<grid, kWidth>>>(x, weight, out, steps, channels);
}
