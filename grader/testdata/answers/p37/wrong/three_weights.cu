// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Only three of the four weights are used.
// SAYS: weights?|three steps|taps|term|fourth|last
// NEVER: barrier|\brace\b|uninitiali
// HELD: no
// FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int t = first; t < end; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; i++) window[3 + i] = t + i < end ? x[(size_t)(t + i) * channels + channel] : 0.f;
#pragma unroll
    for (int i = 0; i < kAhead; i++) {
      if (t + i < end)
        out[(size_t)(t + i) * channels + channel] =
            taps[0] * window[3 + i] + taps[1] * window[2 + i] + taps[2] * window[1 + i];
    }
    window[0] = window[kAhead];
    window[1] = window[kAhead + 1];
    window[2] = window[kAhead + 2];
  }
// END: walk
