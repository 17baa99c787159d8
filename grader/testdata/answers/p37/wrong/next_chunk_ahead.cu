// ENTRY: kernel
// CLASS: control-flow
// CAUSE: the window is overwritten before its last steps are kept
// SAYS: window\[i\] = window\[kA.* before .*window\[kPast
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
constexpr int kRun = 128;      // steps of a thread
constexpr int kThreads = 256;  // channels of a block
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
  // x at a step, 0 before the first one and behind the run.
  const auto x_at = [&](int step) {
    return step >= 0 && step < end ? x[static_cast<size_t>(step) * channels + channel] : 0.0f;
  };
#pragma unroll
  for (int i = 0; i < kPast + kAhead; ++i) window[i] = x_at(first - kPast + i);
  // END: keep

  // Must write out[step][channel] for the steps of the run.
  // FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int step = first; step < end; step += kAhead) {
    // Ask for the next kAhead steps now; they travel while these are computed.
    float next[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) next[i] = x_at(step + kAhead + i);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      float sum = taps[0] * window[kPast + i];
#pragma unroll
      for (int k = 1; k < kTaps; ++k) sum = fmaf(taps[k], window[kPast + i - k], sum);
      if (step + i < end) out[static_cast<size_t>(step + i) * channels + channel] = sum;
    }
    // Move on by kAhead steps.
#pragma unroll
    for (int i = 0; i < kAhead; ++i) window[kPast + i] = next[i];
#pragma unroll
    for (int i = 0; i < kPast; ++i) window[i] = window[kAhead + i];
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
