// ENTRY: kernel
// CLASS: tail
// CAUSE: How many steps a run has is rounded down, so that the last steps are in none.
// SAYS: runs - 1\) / runs
// NEVER: kWidth|grid of
// HELD: no
// p37: causal convolution. Three past steps and four weights in registers, eight loads under way.
#include <cuda_runtime.h>

constexpr int kWidth = 128;  // channels of a block
constexpr int kLong = 128;   // steps of a thread, at most
constexpr int kBatch = 8;

struct Taps {
  float now, one, two, three;
};

__global__ void __launch_bounds__(kWidth)
    filter(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out, int steps,
           int channels, int run) {
  const int channel = blockIdx.x * kWidth + threadIdx.x;
  if (channel >= channels) return;
  const size_t pitch = channels;
  const float* from = x + channel;
  float* to = out + channel;
  const Taps w{weight[channel], weight[pitch + channel], weight[2 * pitch + channel], weight[3 * pitch + channel]};

  const int begin = blockIdx.y * run, end = min(begin + run, steps);
  const auto past = [&](int step) { return step >= 0 ? from[step * pitch] : 0.0f; };
  float a = past(begin - 3), b = past(begin - 2), c = past(begin - 1);

#pragma unroll 1
  for (int step = begin; step < end; step += kBatch) {
    float next[kBatch];
#pragma unroll
    for (int i = 0; i < kBatch; ++i) next[i] = step + i < end ? from[(step + i) * pitch] : 0.0f;
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      if (step + i < end)
        to[(step + i) * pitch] = w.now * next[i] + w.one * c + w.two * b + w.three * a;
      a = b;
      b = c;
      c = next[i];
    }
  }
}

void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  // No run is longer than kLong, and all are about as long as each other.
  const int runs = (steps + kLong - 1) / kLong;
  const int run = steps / runs;
  filter<<<dim3((channels + kWidth - 1) / kWidth, runs), kWidth>>>(x, weight, out, steps, channels, run);
}
