// ENTRY: kernel
// CLASS: index
// CAUSE: The window is moved on by one step and not by kAhead.
// SAYS: window|past|before|steps?
// SAYS: kAhead|8|moved
// NEVER: \brace\b|barrier|weights
// HELD: yes
  // FILL ME IN: keep (roughly 5 lines)
  for (int k = 0; k < kTaps; ++k) taps[k] = weight[k * channels + channel];
  for (int i = 0; i < kPast; ++i) {
    const int step = first - kPast + i;
    window[i] = step >= 0 ? x[static_cast<size_t>(step) * channels + channel] : 0.0f;
  }
  // END: keep
  // FILL ME IN: walk (roughly 13 lines)
  for (int step = first; step < end; step += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      window[kPast + i] = step + i < end ? x[static_cast<size_t>(step + i) * channels + channel] : 0.0f;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      float sum = 0.0f;
      for (int k = 0; k < kTaps; ++k) sum += taps[k] * window[kPast + i - k];
      if (step + i < end) out[static_cast<size_t>(step + i) * channels + channel] = sum;
    }
#pragma unroll
    for (int i = 0; i < kPast; ++i) window[i] = window[kPast + i];
  }
  // END: walk
