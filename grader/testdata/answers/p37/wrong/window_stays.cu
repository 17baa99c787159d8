// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The window is never moved on, so that each chunk of eight begins with the steps before the run.
// SAYS: window|before|steps?|walk|moved
// NEVER: barrier|\brace\b
// HELD: yes
// FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int t = first; t < end; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; i++) window[3 + i] = t + i < end ? x[(size_t)(t + i) * channels + channel] : 0.f;
#pragma unroll
    for (int i = 0; i < kAhead; i++) {
      if (t + i < end)
        out[(size_t)(t + i) * channels + channel] =
            taps[0] * window[3 + i] + taps[1] * window[2 + i] + taps[2] * window[1 + i] + taps[3] * window[i];
    }
  }
// END: walk
