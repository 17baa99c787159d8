// ENTRY: kernel
// CLASS: index
// CAUSE: The window moves on by one step too few (kAhead - 1), so the past of each next group is one step too old.
// SAYS: window
// SAYS: one step|less|short|fewer
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: keep (roughly 7 lines)
  for (int k = 0; k < kTaps; ++k) taps[k] = weight[k * channels + channel];
  for (int i = 0; i < kPast; ++i) {
    const int step = first - kPast + i;
    window[i] = step >= 0 ? x[static_cast<size_t>(step) * channels + channel] : 0.0f;
  }
  // END: keep
  // FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int step = first; step < end; step += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      window[kPast + i] = step + i < end ? x[static_cast<size_t>(step + i) * channels + channel] : 0.0f;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      float sum = 0.0f;
#pragma unroll
      for (int k = 0; k < kTaps; ++k) sum += taps[k] * window[kPast + i - k];
      if (step + i < end) out[static_cast<size_t>(step + i) * channels + channel] = sum;
    }
#pragma unroll
    for (int i = 0; i < kPast; ++i) window[i] = window[kAhead - 1 + i];
  }
  // END: walk
  // FILL ME IN: launch (roughly 2 lines)
  const dim3 grid((channels + kThreads - 1) / kThreads, (steps + kRun - 1) / kRun);
  conv_kernel<<<grid, kThreads>>>(x, weight, out, steps, channels);
  // END: launch
