// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Each run begins with zeros in place of the three steps before it.
// SAYS: begin|before|run|past|first|zero|rows? (whose|\d)
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: keep (roughly 7 lines)
#pragma unroll
  for (int k = 0; k < kTaps; ++k) taps[k] = weight[k * channels + channel];
#pragma unroll
  for (int i = 0; i < kPast; ++i) {
    const int step = first - kPast + i;
    (void)step;
    window[i] = 0.0f;
  }
  // END: keep
