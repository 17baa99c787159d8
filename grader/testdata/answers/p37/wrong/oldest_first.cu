// ENTRY: kernel
// CLASS: index
// CAUSE: The weights are applied in the wrong order: weight 0 to the oldest step.
// SAYS: weights?|taps|revers|order|step
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
            taps[0] * window[i] + taps[1] * window[i + 1] + taps[2] * window[i + 2] + taps[3] * window[i + 3];
    }
    window[0] = window[kAhead];
    window[1] = window[kAhead + 1];
    window[2] = window[kAhead + 2];
  }
// END: walk
