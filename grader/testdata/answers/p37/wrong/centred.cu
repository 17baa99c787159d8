// ENTRY: kernel
// CLASS: index
// CAUSE: The filter is centred on the step: it looks one step ahead.
// SAYS: steps?|one|before|ahead|shift|row|weights?
// NEVER: barrier|\brace\b
// HELD: yes
// FILL ME IN: keep (roughly 7 lines)
  for (int k = 0; k < 4; k++) taps[k] = weight[k * channels + channel];
  for (int i = 0; i < 3; i++) window[i] = first + i >= 2 ? x[(size_t)(first - 2 + i) * channels + channel] : 0.f;
// END: keep
// FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int t = first; t < end; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; i++) window[3 + i] = t + i + 1 < steps ? x[(size_t)(t + i + 1) * channels + channel] : 0.f;
#pragma unroll
    for (int i = 0; i < kAhead; i++) {
      if (t + i < end)
        out[(size_t)(t + i) * channels + channel] =
            taps[0] * window[3 + i] + taps[1] * window[2 + i] + taps[2] * window[1 + i] + taps[3] * window[i];
    }
    window[0] = window[kAhead];
    window[1] = window[kAhead + 1];
    window[2] = window[kAhead + 2];
  }
// END: walk
