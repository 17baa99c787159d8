// ENTRY: kernel
// CLASS: index
// CAUSE: The weights are taken in the wrong order.
// SAYS: revers|order|weight
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: walk (roughly 16 lines)
  for (int step = first; step < end; step += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      window[kPast + i] = step + i < end ? x[static_cast<size_t>(step + i) * channels + channel] : 0.0f;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      float sum = 0.0f;
#pragma unroll
      for (int k = 0; k < kTaps; ++k) sum += taps[k] * window[i + k];
      if (step + i < end) out[static_cast<size_t>(step + i) * channels + channel] = sum;
    }
#pragma unroll
    for (int i = 0; i < kPast; ++i) window[i] = window[kAhead + i];
  }
  // END: walk
