// ENTRY: kernel
// CLASS: index
// CAUSE: The weights lie [4, channels], and are read as if the four of a channel lay side by side.
// SAYS: weights?|taps
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: keep (roughly 7 lines)
  for (int k = 0; k < 4; k++) taps[k] = weight[channel * 4 + k];
  for (int i = 0; i < 3; i++) window[i] = first + i >= 3 ? x[(size_t)(first - 3 + i) * channels + channel] : 0.f;
// END: keep
