// STYLE: four scalars that take turns, runs of 64, blocks of 128
// p37 occupancy: bring a kernel back that keeps too much.
//
//   out[t][c] = sum over k = 0 .. 3 of weight[k][c] * x[t - k][c]      x before the first step: 0
//
// A causal convolution: each channel c is filtered along the steps t by four weights of its own. It stands in
// front of the recurrence of many sequence models. x, out [steps, channels]   weight [4, channels]
//
// The kernel below, `handed_out`, is right. Its author meant well: a thread asks for a whole run of 128 steps
// before it uses the first, so that much is under way. But that array lies in local memory, and when it is
// forced into registers the assembler runs out of those. Read it, launch it once if you like, and write
// `conv_kernel`, which keeps in registers what it needs there, and nothing else:
//
//   keep      the four weights of the channel, and the three steps before the run
//   walk      the steps of the run, kAhead loads under way at a time
//   launch    grid and block: all channels, and as many runs as the steps need
//
//   grader p37     grader hint p37     grader lesson p37
//
// All of this file is yours to change, kRun, kAhead and kThreads too; only `causal_conv` keeps its name and
// its parameters.
#include <cuda_runtime.h>

constexpr int kTaps = 4;  // weights of a channel
constexpr int kPast = kTaps - 1;
constexpr int kRun = 64;       // steps of a thread
constexpr int kThreads = 128;  // channels of a block
constexpr int kAhead = 8;      // loads that a thread has under way

// As it was handed out: right, and dear. Thread: a channel; blockIdx.y: a run of kRun steps.
__global__ void __launch_bounds__(kThreads)
    handed_out(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
               int steps, int channels) {
  const int channel = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kRun;
  if (channel >= channels) return;
  float run[kPast + kRun];  // steps first - 3 to first + kRun - 1
  const int count = min(kRun, steps - first);
  for (int i = 0; i < kPast + count; ++i) {
    const int step = first - kPast + i;
    run[i] = step >= 0 ? x[static_cast<size_t>(step) * channels + channel] : 0.0f;
  }
  for (int i = 0; i < count; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < kTaps; ++k) sum += weight[k * channels + channel] * run[kPast + i - k];
    out[static_cast<size_t>(first + i) * channels + channel] = sum;
  }
}

// The same for you to write. A thread has one channel, and of it the steps first .. end - 1.
__global__ void __launch_bounds__(kThreads)
    conv_kernel(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                int steps, int channels) {
  const int channel = blockIdx.x * kThreads + threadIdx.x;
  if (channel >= channels) return;
  [[maybe_unused]] const int first = blockIdx.y * kRun, end = min(first + kRun, steps);
  [[maybe_unused]] float taps[kTaps];             // weight[k][channel]
  [[maybe_unused]] float window[kPast + kAhead];  // x, from three steps before the next one on

  // FILL ME IN: keep (roughly 7 lines)
#pragma unroll
  for (int k = 0; k < kTaps; ++k) taps[k] = weight[k * channels + channel];
#pragma unroll
  for (int i = 0; i < kPast; ++i) {
    const int step = first - kPast + i;
    window[i] = step >= 0 ? x[static_cast<size_t>(step) * channels + channel] : 0.0f;
  }
  // END: keep

  // Must write out[step][channel] for the steps of the run.
  // FILL ME IN: walk (roughly 16 lines)
  float a = window[0], b = window[1], c = window[2];
  const float* from = x + static_cast<size_t>(first) * channels + channel;
  float* to = out + static_cast<size_t>(first) * channels + channel;
  int left = end - first;
  for (; left >= 4; left -= 4) {
    const float d = from[0], e = from[channels], f = from[2 * channels], g = from[3 * channels];
    to[0] = taps[0] * d + taps[1] * c + taps[2] * b + taps[3] * a;
    to[channels] = taps[0] * e + taps[1] * d + taps[2] * c + taps[3] * b;
    to[2 * channels] = taps[0] * f + taps[1] * e + taps[2] * d + taps[3] * c;
    to[3 * channels] = taps[0] * g + taps[1] * f + taps[2] * e + taps[3] * d;
    a = e;
    b = f;
    c = g;
    from += 4 * static_cast<size_t>(channels);
    to += 4 * static_cast<size_t>(channels);
  }
  for (; left > 0; --left) {
    const float d = *from;
    *to = taps[0] * d + taps[1] * c + taps[2] * b + taps[3] * a;
    a = b;
    b = c;
    c = d;
    from += channels;
    to += channels;
  }
  // END: walk
}

// x, out: [steps, channels]; weight: [4, channels]; device memory. There is at least one step and one
// channel.
void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  // FILL ME IN: launch (roughly 2 lines)
  const dim3 grid((channels + kThreads - 1) / kThreads, (steps + kRun - 1) / kRun);
  conv_kernel<<<grid, kThreads>>>(x, weight, out, steps, channels);
  // END: launch
}
