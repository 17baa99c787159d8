// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The loads of the last chunk are not compared with the end of x.
// SAYS: out-of-bounds|out of bounds|past|behind|beyond|end
// SAYS: x\b
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int t = first; t < end; t += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; i++) window[3 + i] = x[(size_t)(t + i) * channels + channel];
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
