// ENTRY: kernel
// CLASS: missing-term
// CAUSE: what the past gives to the second step of a run lacks one of its two terms
// SAYS: term|taps
// NEVER: in place of .?next
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
#pragma unroll
  for (int i = 0; i < kPast; ++i) {
    const int step = first + i - kPast;
    window[i] = step < 0 ? 0.0f : x[static_cast<size_t>(step) * channels + channel];
  }
  // next[d]: what the steps so far give to the result d steps on.
  float next[kPast];
  next[0] = taps[1] * window[2] + taps[2] * window[1] + taps[3] * window[0];
  next[1] = taps[2] * window[2];
  next[2] = taps[3] * window[2];
  // END: keep

  // Must write out[step][channel] for the steps of the run.
  // FILL ME IN: walk (roughly 16 lines)
  float* const fresh = window + kPast;
#pragma unroll 1
  for (int step = first; step < end; step += kAhead) {
    const size_t base = static_cast<size_t>(step) * channels + channel;
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      fresh[i] = step + i < end ? x[base + static_cast<size_t>(i) * channels] : 0.0f;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const float result = fmaf(taps[0], fresh[i], next[0]);
      next[0] = fmaf(taps[1], fresh[i], next[1]);
      next[1] = fmaf(taps[2], fresh[i], next[2]);
      next[2] = taps[3] * fresh[i];
      if (step + i < end) out[base + static_cast<size_t>(i) * channels] = result;
    }
  }
  // END: walk
}

// x, out: [steps, channels]; weight: [4, channels]; device memory. There is at least one step and one
// channel.
void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  // FILL ME IN: launch (roughly 2 lines)
  dim3 grid;
  grid.x = (channels + kThreads - 1) / kThreads;
  grid.y = (steps + kRun - 1) / kRun;
  conv_kernel<<<grid, kThreads>>>(x, weight, out, steps, channels);
  // END: launch
}
