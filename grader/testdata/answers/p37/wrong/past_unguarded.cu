// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Reads x before its first step.
// SAYS: past|before|outside|bound|beyond|no memory
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: keep (roughly 7 lines)
#pragma unroll
  for (int k = 0; k < kTaps; ++k) taps[k] = weight[k * channels + channel];
#pragma unroll
  for (int i = 0; i < kPast; ++i) {
    const int step = first - kPast + i;
    window[i] = x[static_cast<long>(step) * channels + channel];
  }
  // END: keep
