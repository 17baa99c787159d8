// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The three steps that are kept are shifted youngest first, x1 = x0 and then x2 = x1, so all three become the last value and the older steps are lost.
// SAYS: shift|order|window|x1|x2|older|overwrit|steps? before|previous
  // FILL ME IN: keep (roughly 7 lines)
#pragma unroll
  for (int t = 0; t < kTaps; ++t) taps[t] = weight[static_cast<size_t>(t) * channels + channel];
  const auto value_at = [&](int step) {
    return step < 0 ? 0.0f : x[static_cast<size_t>(step) * channels + channel];
  };
  float x3 = value_at(first - 3), x2 = value_at(first - 2), x1 = value_at(first - 1);
  // END: keep
  // FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int step = first; step < end; step += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) window[i] = step + i < end ? value_at(step + i) : 0.0f;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const float x0 = window[i];
      const float result = taps[0] * x0 + taps[1] * x1 + taps[2] * x2 + taps[3] * x3;
      if (step + i < end) out[static_cast<size_t>(step + i) * channels + channel] = result;
      x1 = x0;
      x2 = x1;
      x3 = x2;
    }
  }
  // END: walk
