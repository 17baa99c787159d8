// ENTRY: kernel
// CLASS: index
// CAUSE: walk: in the loop over the steps that are left behind the last whole group of kAhead the window is shifted in the wrong order: window[2] is overwritten before it is copied, so after one step all three past steps are the newest one. From the second left-over step of a run on the results are wrong.
// SAYS: order
// SAYS: window
// NEVER: barrier
// NEVER: coalesced
// HELD: no
// FILL ME IN: keep (roughly 7 lines)
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) taps[tap] = weight[static_cast<size_t>(tap) * channels + channel];
#pragma unroll
  for (int back = kPast; back > 0; --back)
    window[kPast - back] = first >= back ? x[static_cast<size_t>(first - back) * channels + channel] : 0.0f;
// END: keep
// FILL ME IN: walk (roughly 16 lines)
  int t = first;
#pragma unroll 1
  for (; t + kAhead <= end; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      window[kPast + i] = x[static_cast<size_t>(t + i) * channels + channel];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      float y = 0.0f;
#pragma unroll
      for (int tap = 0; tap < kTaps; ++tap) y = fmaf(taps[tap], window[kPast + i - tap], y);
      out[static_cast<size_t>(t + i) * channels + channel] = y;
    }
#pragma unroll
    for (int i = 0; i < kPast; ++i) window[i] = window[kAhead + i];
  }
#pragma unroll 1
  for (; t < end; ++t) {  // fewer than kAhead steps are left
    const size_t at = static_cast<size_t>(t) * channels + channel;
    const float now = x[at];
    out[at] = taps[0] * now + taps[1] * window[2] + taps[2] * window[1] + taps[3] * window[0];
    window[2] = now;
    window[1] = window[2];
    window[0] = window[1];
  }
// END: walk
// FILL ME IN: launch (roughly 2 lines)
  const dim3 grid((channels - 1) / kThreads + 1, (steps - 1) / kRun + 1);
  conv_kernel<<<grid, kThreads>>>(x, weight, out, steps, channels);
// END: launch
